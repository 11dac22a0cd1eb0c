/// The `homa` command: one class per subcommand, human output on standard output, progress and warnings on standard
/// error, exit code 0, 1 (the run failed) or 2 (wrong arguments).
///
/// Entry type: [io.homa.cli.HomaCommand].
@NullMarked
package io.homa.cli;

import org.jspecify.annotations.NullMarked;

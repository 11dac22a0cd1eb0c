package io.homa.cli;

import io.homa.HomaException;
import io.homa.dpdk.DpdkException;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/// Turns what went wrong into one message on standard error and an exit code: 2 for arguments, 1 for the rest.
/// Only a bug shows a stack trace.
final class Failures implements IExecutionExceptionHandler, IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException exception, String[] args) {
        CommandLine line = exception.getCommandLine();
        line.getErr().println("homa: " + exception.getMessage());
        line.getErr().println("Try '" + line.getCommandSpec().qualifiedName() + " --help'.");
        return ExitCode.USAGE;
    }

    @Override
    public int handleExecutionException(Exception exception, CommandLine line, ParseResult parsed) {
        switch (exception) {
            case RunFailure _, HomaException _, DpdkException _ ->
                line.getErr().println("homa: " + exception.getMessage());
            default -> {
                line.getErr().println("homa: this is a bug:");
                exception.printStackTrace(line.getErr());
            }
        }
        return ExitCode.SOFTWARE;
    }
}

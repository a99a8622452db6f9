/** Prints one line about the bootstrap's progress. */
export function say(text) {
  process.stdout.write(`${text}\n`);
}

/** An error whose message tells the reader enough, so that it is printed without a stack. */
export class CliError extends Error {}

/** Prints a failure: only the message of a CliError, the stack of any other error. */
export function complain(error) {
  const text = error instanceof CliError ? error.message : (error?.stack ?? String(error));
  process.stderr.write(`\n${text}\n`);
}

/** Runs a script's main function; prints a failure and exits with 1. */
export async function main(run) {
  try {
    process.exitCode = (await run()) ?? 0;
  } catch (error) {
    complain(error);
    process.exitCode = 1;
  }
}

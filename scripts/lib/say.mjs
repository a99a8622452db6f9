/** Prints one line about what the bootstrap is doing. */
export function say(text) {
  process.stdout.write(`${text}\n`);
}

/** An error whose message is all that the reader needs: printed without a stack. */
export class Refusal extends Error {}

/** Prints a failure: the sentence alone for a Refusal, the stack for a mistake of ours. */
export function complain(error) {
  const text = error instanceof Refusal ? error.message : (error?.stack ?? String(error));
  process.stderr.write(`\n${text}\n`);
}

/** Runs a script's main function; a failure is printed and ends the process with 1. */
export async function main(run) {
  try {
    process.exitCode = (await run()) ?? 0;
  } catch (error) {
    complain(error);
    process.exitCode = 1;
  }
}

/** Symbols under which Jest keeps the state of one test file on the global object. */
const JEST_STATE =
  /^(?:JEST_STATE_SYMBOL|EVENT_HANDLERS|TEST_TIMEOUT_SYMBOL|RETRY_|WAIT_BEFORE_RETRY|LOG_ERRORS_BEFORE_RETRY|\$\$jest)/;

/**
 * An environment that all test files of a worker share. They run one after another; `SharedRuntime` keeps the modules
 * that were loaded in it.
 */
export function sharedEnvironment(Environment) {
  class SharedEnvironment extends Environment {
    sharesModules = true;

    constructor(...args) {
      super(...args);
      this.exit = this.global.process.exit;
      this.ownSymbols = new Set(Object.getOwnPropertySymbols(this.global));
    }

    teardown() {
      this.fakeTimersModern.useRealTimers();
      // Jest replaces process.exit for each file.
      this.global.process.exit = this.exit;
      for (const symbol of Object.getOwnPropertySymbols(this.global))
        if (!this.ownSymbols.has(symbol) && JEST_STATE.test(symbol.description ?? '')) delete this.global[symbol];
    }
  }

  let shared;
  return function EnvironmentOfWorker(...args) {
    shared ??= new SharedEnvironment(...args);
    return shared;
  };
}

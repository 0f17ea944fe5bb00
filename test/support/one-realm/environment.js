const { AsyncLocalStorage } = require('node:async_hooks');
const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');
const vm = require('node:vm');
const { ModuleMocker } = require('jest-mock');
const ulid = require('ulid');
const { processorMs } = require('./processor-time');

/* Set-up that runs once in each worker process. */

/** Lets threads of the service load TypeScript, like its processes. */
process.execArgv.push('-r', require.resolve('../ts.cjs'));

/** The context that Jest gets for a suite. It represents the realm of the process. */
const REALM = vm.createContext({});

/** Reuses compiled code of Jest and of the test support in later suites. */
const compiled = new Map();
const { compileFunction } = vm;
vm.compileFunction = (source, parameters, { parsingContext, ...options }) => {
  if (parsingContext !== REALM) return compileFunction(source, parameters, { parsingContext, ...options });
  const { filename } = options;
  const last = compiled.get(filename);
  if (last?.source === source) return last.run;
  // Jest's own handler of `import()` would retain everything that the first suite loaded.
  const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const run = compileFunction(source, parameters, { ...options, importModuleDynamically });
  if (!filename.endsWith('.spec.ts')) compiled.set(filename, { source, run });
  return run;
};

/** Starts the ids anew for each suite. Within a process they only increase, but each suite sets its own clock. */
const resetIds = [];
const { monotonicFactory } = ulid;
ulid.monotonicFactory = (random) => {
  let next = monotonicFactory(random);
  resetIds.push(() => (next = monotonicFactory(random)));
  return (time) => next(time);
};

/**
 * The context storages that a suite uses. Jest makes one for each suite and never disables it. Node 20 copies every
 * storage with every promise, so with 50 storages a promise takes 50 times as long.
 */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...given) {
  storages.add(this);
  return run.apply(this, given);
};

/**
 * Maps each frame of a stack to its line of the sources once. Playwright reads the stack of every call, and Jest maps
 * all frames of it anew.
 */
function mapFramesOnce() {
  const format = Error.prepareStackTrace;
  const mapped = new Map();
  Error.prepareStackTrace = (error, frames) => {
    const title = format(error, []);
    const lines = frames.map((frame) => {
      const place = frame.toString();
      if (!mapped.has(place)) mapped.set(place, format(error, [frame]).slice(title.length));
      return mapped.get(place);
    });
    return title + lines.join('');
  };
}

/** Symbols under which suites store global state. */
const SUITE_SYMBOLS = new Set(['JEST_STATE_SYMBOL', 'EVENT_HANDLERS', 'RETRY_TIMES_SETTER']);

/**
 * Runs suites in the realm of the process, so that all suites of a worker share the loaded and compiled code of the
 * service and the packages: see runtime.js. Restores environment variables and globals after each suite.
 */
module.exports = class OneRealm {
  constructor({ projectConfig }, { testPath }) {
    this.rootDir = projectConfig.rootDir;
    this.testPath = testPath;
    for (const reset of resetIds) reset();
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = null;
    this.variables = { ...process.env };
    this.exit = process.exit;
    this.globals = Object.entries(Object.getOwnPropertyDescriptors(globalThis));
    Object.assign(globalThis, projectConfig.globals);
  }

  async setup() {
    mapFramesOnce();
    // Jest lets each error collect a hundred frames; Node.js collects ten.
    Error.stackTraceLimit = 20;
    this.processorMs = processorMs();
  }

  async teardown() {
    const suite = relative(this.rootDir, this.testPath);
    appendFileSync(process.env.TEST_PROCESSOR_TIMES, `${Math.round(processorMs() - this.processorMs)} ${suite}\n`);
    for (const storage of storages) storage.disable();
    storages.clear();
    this.moduleMocker.restoreAllMocks();
    process.exit = this.exit;
    for (const name of Object.keys(process.env)) if (!(name in this.variables)) delete process.env[name];
    Object.assign(process.env, this.variables);
    for (const [name, descriptor] of this.globals)
      if (descriptor.configurable) Object.defineProperty(globalThis, name, descriptor);
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (SUITE_SYMBOLS.has(symbol.description)) Reflect.deleteProperty(globalThis, symbol);
    this.global = null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return REALM;
  }
};

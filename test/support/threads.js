/** Threads that the service begins within a suite read TypeScript as its processes do: Jest compiles nothing for them. */
process.execArgv.push('-r', require.resolve('./ts.cjs'));

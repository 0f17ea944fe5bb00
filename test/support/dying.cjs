/** Kills its process before the commit of a unit of work, however fast the process works: see `diesAt`. */
require('./ts.cjs');
require('reflect-metadata');
const { Database } = require('#platform');

const { run } = Database.prototype;
let units = 0;

Database.prototype.run = function (work) {
  if (this.isInUnitOfWork) return work();
  return run.call(this, async () => {
    const result = await work();
    if (++units === Number(process.env.DIES_AT)) process.kill(process.pid, 'SIGKILL');
    return result;
  });
};

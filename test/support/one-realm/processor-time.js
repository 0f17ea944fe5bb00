const { execFileSync } = require('node:child_process');
const { readFileSync } = require('node:fs');

let ticksPerSecond;

/**
 * Processor time of this process and of the children that it waited for, in ms. Without /proc, that of the process
 * alone.
 */
function processorMs() {
  try {
    ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK']));
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return (ticks / ticksPerSecond) * 1000;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

module.exports = { processorMs };

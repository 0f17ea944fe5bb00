const { default: Sequencer } = require('@jest/test-sequencer');

/** Suites that take long for their size. */
const LONG =
  /test\/(api\/(property|hostile-texts|pools)|journeys\/authoring|start\/worker|concurrency\/(jobs|pools)|contracts\/contracts|load\/soak|events\/kills|faults\/.*)\.spec\.ts$/;

/**
 * For suites without a recorded duration, Jest begins with the largest files. A small suite that takes minutes would
 * then run last, while the other workers wait.
 */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isFirst = ({ path, duration }) => duration === undefined && LONG.test(path);
    return [...sorted.filter(isFirst), ...sorted.filter((test) => !isFirst(test))];
  }
};

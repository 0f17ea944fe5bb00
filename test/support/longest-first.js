const { default: Sequencer } = require('@jest/test-sequencer');

/** Suites that take long for their size: those with processes, browsers and many engines. */
const LONG =
  /test\/(api\/(property|hostile-texts|paging-while-writing|pools|wire-size)|journeys\/authoring|start\/(first-start|worker)|concurrency\/(jobs|pools|references)|console\/.*screen|contracts\/contracts|events\/kills|faults\/.*|load\/soak|player\/(faults|offline|taking)|renderer\/(choosing|placing))\.spec\.ts$/;

/**
 * For suites without a recorded duration, Jest begins with the largest files. A small suite that takes minutes would
 * then run last, while the other workers wait.
 */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isFirst = ({ path }) => LONG.test(path);
    return [...sorted.filter(isFirst), ...sorted.filter((test) => !isFirst(test))];
  }
};

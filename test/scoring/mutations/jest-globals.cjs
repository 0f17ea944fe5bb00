const { expect } = require('expect');
const fc = require('fast-check');
const { bind } = require('jest-each');
const { interfaces } = require('mocha');

const { bdd } = interfaces;

// Does not simplify failing examples, because only the failure of a property matters here.
fc.configureGlobal({ endOnFailure: true });

/** Gives Mocha the functions of Jest that the suites of scoring use. */
interfaces.bdd = (suite) => {
  bdd(suite);
  suite.on('pre-require', (globals) => {
    Object.assign(globals, { expect, test: globals.it });
    for (const word of [globals.describe, globals.it]) word.each = bind(word);
  });
};

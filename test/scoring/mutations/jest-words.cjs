const { expect } = require('expect');
const fc = require('fast-check');
const { bind } = require('jest-each');
const { interfaces } = require('mocha');

const { bdd } = interfaces;

// That a property fails is enough: nobody reads the simplest example.
fc.configureGlobal({ endOnFailure: true });

/** Gives Mocha the words of Jest that the suites of scoring are written in. */
interfaces.bdd = (suite) => {
  bdd(suite);
  suite.on('pre-require', (globals) => {
    Object.assign(globals, { expect, test: globals.it });
    for (const word of [globals.describe, globals.it]) word.each = bind(word);
  });
};

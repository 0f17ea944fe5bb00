const { createRequire, isBuiltin } = require('node:module');
const { dirname, resolve, sep } = require('node:path');
const { default: Runtime } = require('jest-runtime');
const { sourceMapOf } = require('../ts.cjs');

const root = resolve(__dirname, '../../..');
const SERVICE_FOLDERS = ['apps', 'libs'].map((folder) => resolve(root, folder) + sep);
const isService = (file) => SERVICE_FOLDERS.some((folder) => file.startsWith(folder)) && !file.endsWith('.spec.ts');

/** Packages that each suite loads separately. */
const JEST_PACKAGES = /^(@jest\/|jest-|expect$)/;

/**
 * Loads packages and the service like Node, once for all suites of a worker. Each suite loads its own files and the
 * test support again. So a suite starts in a tenth of a second instead of a whole one, and V8 has already optimised the
 * code.
 */
module.exports = class SharingRuntime extends Runtime {
  constructor(...given) {
    super(...given);
    const maps = this.getSourceMaps();
    const mapOf = maps.get.bind(maps);
    maps.get = (file) => mapOf(file) ?? (isService(file) ? sourceMapOf(file) : undefined);
  }

  requireModuleOrMock(from, name) {
    const isShared = /^\.{0,2}\//.test(name)
      ? isService(resolve(dirname(from), name))
      : !isBuiltin(name) && !JEST_PACKAGES.test(name);
    return isShared ? createRequire(from)(name) : super.requireModuleOrMock(from, name);
  }
};

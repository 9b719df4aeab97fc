// @ts-nocheck: this looks into the module loader.
// The generator asks for the compiler's API of an earlier major version than the one this project has; it brings that version along
// inside another package of its own, and is given that.
const Module = require('node:module');

const load = Module._load;
Module._load = function (request, parent, isMain) {
  if (request !== 'typescript') return load.call(this, request, parent, isMain);
  return load.call(this, '@ts-morph/common', parent, isMain).ts;
};

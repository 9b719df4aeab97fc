import { flushCompileCache } from 'node:module';

/**
 * Writes the compile cache now. Node writes it at exit, which a program that is killed never reaches: without this, each life of a crash test
 * parses and compiles all sources again. Call it when everything is loaded.
 */
export function keepCompiled(): void {
  flushCompileCache();
}

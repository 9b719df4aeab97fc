import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { signalsFor } from './platform.mjs';

const { outlived, passedOn } = signalsFor(process.platform);

/**
 * A PATH on which child processes find this Node first.
 * @param {string} node
 */
export const pathWith = (node) => [dirname(node), process.env.PATH].join(delimiter);

/**
 * Runs a program and resolves to its exit code. Signals to this process are forwarded to the program, and this process outlives it, so that
 * a caller that waits for the script has also waited for the program.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { onOutput?: (text: string) => void }} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, { onOutput, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    const forward = (/** @type {NodeJS.Signals} */ signal) => passedOn && child.kill(signal);
    for (const signal of outlived) process.on(signal, forward);
    const settle = () => {
      for (const signal of outlived) process.off(signal, forward);
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => onOutput?.(text));
    }
    child.on('error', (error) => {
      settle();
      reject(error);
    });
    child.on('close', (code, signal) => {
      settle();
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
}

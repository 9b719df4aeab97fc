import { type Machine, MOST_STEPS_IN_ALL } from './machine.ts';
import type { Node, Word } from './syntax.ts';

/** Limits of a log. An endless loop need not run rounds whose output would be dropped anyway. */
export const KEPT_CHARACTERS = 4 * 1024 * 1024;
export const KEPT_LINES = 10_000;

const ALWAYS_TRUE = new Set(['true', ':', 'sleep', 'echo', 'date']);
/** Commands that can end a loop. */
const LEAVES = new Set(['exit', 'break', 'continue', 'exec', 'eval', 'set', 'command', 'nohup']);
/** Commands that can make one round differ from the next. */
const CHANGES = new Set(['export', 'unset', 'cd', 'rm', 'touch']);

/** Whether a loop certainly never ends. */
export function isEndless({ until, condition, body }: Extract<Node, { kind: 'loop' }>): boolean {
  return !until && isAlwaysTrue(condition) && everyCommand(body, (name) => name !== undefined && !LEAVES.has(name));
}

/** Whether all rounds of an endless loop are the same. */
export function isSteady(body: Node): boolean {
  return everyCommand(body, (name, node) => {
    const writesFile = node.redirects.some(({ to }) => to.kind === 'file' && plainText(to.name) !== '/dev/null');
    return node.assignments.length === 0 && !writesFile && !CHANGES.has(name ?? '');
  });
}

function isAlwaysTrue(node: Node): boolean {
  return everyCommand(node, (name, { assignments }) => assignments.length === 0 && ALWAYS_TRUE.has(name ?? ''));
}

type Judge = (name: string | undefined, command: Extract<Node, { kind: 'command' }>) => boolean;

function everyCommand(node: Node, judge: Judge): boolean {
  switch (node.kind) {
    case 'command':
      return judge(node.words.length === 0 ? '' : plainText(node.words[0]), node);
    case 'list':
      return node.items.every((item) => everyCommand(item, judge));
    case 'chain':
      return everyCommand(node.first, judge) && node.rest.every((it) => everyCommand(it.node, judge));
    case 'not':
    case 'subshell':
    case 'for':
      return everyCommand(node.body, judge);
    case 'if':
      return [node.condition, node.then, ...(node.otherwise ? [node.otherwise] : [])].every((part) =>
        everyCommand(part, judge),
      );
    case 'redirected':
      return everyCommand(node.body, judge) && node.redirects.every(({ to }) => to.kind === 'stream');
    case 'loop':
      return false;
  }
}

function plainText(word: Word | undefined): string | undefined {
  if (!word?.every((part) => part.kind === 'text')) return undefined;
  return word.map((part) => part.text).join('');
}

/** Skips rounds whose output would be dropped from the log before it is read. */
export function skipRounds(
  machine: Machine,
  round: { ms: number; steps: number; characters: number; lines: number },
): void {
  if (machine.interestedFrom === Number.POSITIVE_INFINITY) return;
  const kept = Math.min(
    Math.max(1, Math.floor((MOST_STEPS_IN_ALL - machine.steps) / round.steps) - 2),
    Math.ceil(KEPT_CHARACTERS / round.characters),
    Math.ceil(Math.min(KEPT_LINES, machine.wantedLines) / Math.max(1, round.lines)),
  );
  const ahead = Math.floor((machine.interestedFrom - machine.time) / round.ms) - kept - 1;
  if (ahead > 0) machine.time += ahead * round.ms;
}

import type { FunctionCall, Scalar } from '../plan/types.ts';
import type { ScalarFunction } from '../scalar/functions.ts';
import type { Call } from '../syntax/ast.ts';
import type { Binder } from './binder.ts';
import type { Environment } from './scopes.ts';

/** Binds a function that only computes with the values of its arguments. */
export function bindFunction(
  binder: Binder,
  definition: ScalarFunction,
  call: Call,
  environment: Environment,
): FunctionCall {
  binder.arguments(call, definition.least, definition.most);
  const args = call.args.map((argument, i): Scalar | string | undefined => {
    const words = definition.keywords?.[i];
    if (words) return keyword(binder, call, i, words);
    return argument && binder.scalar(argument, environment);
  });
  for (let i = 0; i < definition.least; i++) binder.argument(call, i);
  const types = args.map((each) => (typeof each === 'object' ? each.type : 'blank'));
  const words = args.map((each) => (typeof each === 'string' ? each : undefined));
  return { kind: 'function', type: definition.result(types, words), function: definition, args };
}

function keyword(binder: Binder, call: Call, index: number, words: readonly string[]): string {
  const argument = binder.argument(call, index);
  const word = argument.kind === 'name' && !argument.quoted ? argument.name.toUpperCase() : undefined;
  if (word !== undefined && words.includes(word)) return word;
  return binder.fail(
    `Argument ${index + 1} of the ${call.name} function must be one of ${words.join(', ')}.`,
    argument.at,
  );
}

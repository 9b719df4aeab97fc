import type { Static } from 'typebox';
import { DELIVERY_EFFECTS, type FaultEffect } from './effect.ts';
import { faultErrors } from './errors.ts';
import {
  bounded,
  checkAnswerBody,
  membersOf,
  printable,
  type Refuse,
  readHeaders,
  refuseUnknown,
  suggest,
  WITHOUT_BODY,
} from './members.ts';
import type { Direction, FaultMatch, NewFaultRule } from './rule.ts';
import { EffectSchema, MatchSchema, type RulePatchSchema, RuleSchema } from './schema.ts';

type Asked = Static<typeof RuleSchema>;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Turns the request into a rule, or throws the error for the first invalid member. The schema has already checked the types. */
export function readRule(asked: Asked, services: readonly string[]): NewFaultRule {
  refuseUnknown(asked, RuleSchema, '', bad);
  refuseUnknown(asked.match ?? {}, MatchSchema, 'match.', bad);
  refuseUnknown(asked.effect, EffectSchema, 'effect.', bad);
  const effect = readEffect(asked.effect);
  const match = readMatch(asked.match ?? {}, effect, services);
  const { count, nth, every, share, seed, enabled } = asked;
  for (const [name, value] of Object.entries({ count, every, share })) {
    if (nth !== undefined && value !== undefined)
      throw bad(name, "cannot be given together with 'nth', which selects a single match");
  }
  if (seed !== undefined && share === undefined) throw bad('seed', "is the seed of 'share', which is missing");
  return {
    match,
    effect,
    ...(count !== undefined && { count }),
    ...(nth !== undefined && { nth }),
    ...(every !== undefined && { every }),
    ...(share !== undefined && { share, seed: seed ?? 0 }),
    ...(enabled === false && { enabled }),
  };
}

/** The rule after a change: `match` and `effect` are replaced whole, null removes a member, absent members stay. */
export function changeRule(
  { match, effect, count, nth, every, share, seed, enabled }: NewFaultRule,
  patch: Static<typeof RulePatchSchema>,
  services: readonly string[],
): NewFaultRule {
  const isReplaced = patch.share === null && patch.seed === undefined;
  const before = { match, effect, count, nth, every, share, seed: isReplaced ? undefined : seed, enabled };
  const merged = Object.entries({ ...before, ...patch }).filter(([, value]) => value !== undefined && value !== null);
  return readRule({ effect, ...Object.fromEntries(merged) }, services);
}

function readMatch(asked: NonNullable<Asked['match']>, effect: FaultEffect, services: readonly string[]): FaultMatch {
  const { service, path, query, headers } = asked;
  const ofDeliveries = DELIVERY_EFFECTS.find((name) => effect[name]);
  const direction: Direction = asked.direction ?? (ofDeliveries ? 'outbound' : 'inbound');
  if (ofDeliveries && direction === 'inbound')
    throw bad(`effect.${ofDeliveries}`, "is an effect of deliveries, but 'match.direction' is inbound");
  const method = asked.method?.toUpperCase();
  if (method !== undefined && !METHODS.includes(method))
    throw bad('match.method', `must be one of ${METHODS.join(', ')}, not '${printable(method)}'`);
  if (service !== undefined && !services.includes(service)) {
    const there = `there are ${services.join(', ')}`;
    throw bad('match.service', `is not a service of this jar${suggest(service, services)}: ${there}`);
  }
  if (path !== undefined && direction === 'inbound' && !/^[/*?]/.test(path))
    throw bad('match.path', "must begin with '/' or '*'");
  if (path !== undefined && direction === 'outbound' && !/^([/*?]|http)/i.test(path))
    throw bad('match.path', "must begin with '/', '*', 'http://' or 'https://'");
  return {
    direction,
    ...(service !== undefined && { service }),
    ...(method !== undefined && { method }),
    ...(path !== undefined && { path }),
    ...(query !== undefined && { query: bounded(query, 'match.query', bad) }),
    ...(headers !== undefined && { headers: lowerCased(bounded(headers, 'match.headers', bad)) }),
  };
}

function readEffect(asked: Asked['effect']): FaultEffect {
  const headers = asked.headers && readHeaders(asked.headers, 'effect.headers', bad);
  // `"drop": false` is the same as absent.
  const effect: FaultEffect = Object.fromEntries(
    Object.entries({ ...asked, headers }).filter(([, value]) => value !== undefined && value !== false),
  );
  const { status, body } = effect;
  if (Object.keys(effect).length === 0)
    throw bad('effect', `must say what goes wrong: ${membersOf(EffectSchema).join(', ')}`);
  if (body !== undefined && status === undefined) throw bad('effect.body', "needs a 'status' as well");
  checkAnswerBody(body, status ?? 0, 'effect.body', bad);
  if (headers !== undefined && Object.keys(headers).length === 0) throw bad('effect.headers', 'must not be empty');
  refuseContradictions(effect);
  return effect;
}

/** For each effect, the members that contradict it. */
const EXCLUDES: Readonly<Partial<Record<keyof FaultEffect, readonly (keyof FaultEffect)[]>>> = {
  drop: [
    'status',
    'headers',
    'body',
    'throttledAs500',
    'dropAnswer',
    'slowBodyMs',
    'cutBodyAfter',
    ...DELIVERY_EFFECTS,
  ],
  dropAnswer: ['status', 'headers', 'body', 'throttledAs500', 'slowBodyMs', 'cutBodyAfter'],
  throttledAs500: ['status', 'body'],
};

function refuseContradictions(effect: FaultEffect): void {
  for (const [name, others] of Object.entries(EXCLUDES)) {
    if (!(name in effect)) continue;
    const other = others.find((each) => each in effect);
    if (other !== undefined) throw bad(`effect.${other}`, `cannot be given together with '${name}'`);
  }
  const spoilt = (['slowBodyMs', 'cutBodyAfter'] as const).find((name) => name in effect);
  const { status, body } = effect;
  if (spoilt === undefined || status === undefined) return;
  if (WITHOUT_BODY.has(status)) throw bad(`effect.${spoilt}`, `needs a body, and the status ${status} has none`);
  // An error has a body of its own; without a body, the rule would count hits without any effect.
  if (status < 400 && body === undefined)
    throw bad(`effect.${spoilt}`, `needs a body, and the status ${status} has none unless 'effect.body' gives one`);
}

const lowerCased = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]));

const bad: Refuse = (field, reason) => faultErrors.BadFault({ field, reason }, { target: field });

import { uuid } from '../../../kernel/ids/index.ts';
import { eq, type Reader, type Tx } from '../../../kernel/store/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { requireManager } from '../catalog/core/access.ts';
import type { Chain } from '../catalog/core/chain.ts';
import { pageSize, readPage } from '../engine/paging.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import { type ApprovalRule, approvalRules, ruleKey } from './collections.ts';
import { type ActiveRoom, changeRoom, seeActive, unwrapped } from './find.ts';

/** Rules by which collaborators approve notebooks without a review. */

const MOST_RULES = 200;

const ruleView = ({ chain }: ActiveRoom, { id, owner, author, runner, createdAt }: ApprovalRule): JsonMembers =>
  omitAbsent({
    rule_id: id,
    clean_room_name: chain.target.name,
    rule_owner_collaborator_alias: owner,
    author_collaborator_alias: author,
    author_scope: author === undefined ? 'ANY_AUTHOR' : undefined,
    runner_collaborator_alias: runner,
    created_at: createdAt,
  });

/** The authors and runners that a rule covers. */
function readRule(body: unknown, { central }: ActiveRoom): Pick<ApprovalRule, 'author' | 'runner'> {
  const sent = new Sent(unwrapped(body, 'auto_approval_rule'), 'auto_approval_rule');
  const author = aliasIn(sent, 'author_collaborator_alias');
  const scope = sent.word('author_scope', ['ANY_AUTHOR']);
  const runner = aliasIn(sent, 'runner_collaborator_alias');
  if ((author === undefined) === (scope === undefined))
    throw errors.INVALID_PARAMETER_VALUE({
      reason: 'A rule must have either an author_collaborator_alias or the author_scope ANY_AUTHOR.',
    });
  for (const alias of [author, runner])
    if (alias !== undefined && !central.collaborators.some((each) => each.alias === alias))
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `The clean room has no collaborator '${alias.slice(0, 255)}'.`,
      });
  if (author !== undefined && author === runner)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The author and the runner of a rule must be different collaborators; '${author}' is both.`,
    });
  return { ...(author !== undefined && { author }), ...(runner !== undefined && { runner }) };
}

function aliasIn(sent: Sent, name: string): string | undefined {
  const alias = sent.text(name);
  return alias === undefined || alias === '' ? undefined : alias.toLowerCase();
}

async function findRule(reader: Reader, { central, chain }: ActiveRoom, id: string): Promise<ApprovalRule> {
  const found = (await reader.get(approvalRules, ruleKey(central.id, id)))?.value;
  if (found) return found;
  throw errors.RESOURCE_DOES_NOT_EXIST({
    reason: `The clean room '${chain.target.name}' has no auto-approval rule '${id.slice(0, 100)}'.`,
  });
}

const requireOwner =
  (call: PlatformCall) =>
  (chain: Chain): void =>
    requireManager(call, chain);

async function findOwn(tx: Tx, room: ActiveRoom, id: string): Promise<ApprovalRule> {
  const rule = await findRule(tx, room, id);
  if (rule.owner === room.alias) return rule;
  throw errors.PERMISSION_DENIED({ reason: `The rule belongs to the collaborator '${rule.owner}'.` });
}

export const createRule = (call: PlatformCall, name: string): Promise<JsonMembers> =>
  changeRoom(call, name, requireOwner(call), async (tx, room) => {
    const { central, alias } = room;
    const said = readRule(call.body, room);
    if ((await tx.count(approvalRules, { filter: eq('room', central.id) })) >= MOST_RULES)
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `A clean room can have at most ${MOST_RULES} auto-approval rules.`,
      });
    const rule: ApprovalRule = {
      room: central.id,
      id: uuid(),
      owner: alias,
      ...said,
      createdAt: call.jar.clock.now(),
    };
    await tx.put(approvalRules, ruleKey(central.id, rule.id), rule);
    return ruleView(room, rule);
  });

export const updateRule = (call: PlatformCall, name: string, id: string): Promise<JsonMembers> =>
  changeRoom(call, name, requireOwner(call), async (tx, room) => {
    const { author: _author, runner: _runner, ...rest } = await findOwn(tx, room, id);
    const rule: ApprovalRule = { ...rest, ...readRule(call.body, room) };
    await tx.put(approvalRules, ruleKey(rule.room, id), rule);
    return ruleView(room, rule);
  });

export const deleteRule = (call: PlatformCall, name: string, id: string): Promise<void> =>
  changeRoom(call, name, requireOwner(call), async (tx, room) => {
    await findOwn(tx, room, id);
    await tx.delete(approvalRules, ruleKey(room.central.id, id));
  });

export async function readRuleOf(call: PlatformCall, name: string, id: string): Promise<JsonMembers> {
  const room = await seeActive(call, name);
  return ruleView(room, await findRule(call.jar.store, room, id));
}

export async function listRules(call: PlatformCall, name: string): Promise<JsonMembers> {
  const room = await seeActive(call, name);
  const { items, next } = await readPage(call, {
    collection: approvalRules,
    query: { filter: eq('room', room.central.id), order: [{ field: 'createdAt' }] },
    size: pageSize(call.query),
  });
  return {
    rules: items.map(({ value }) => ruleView(room, value)),
    ...(next !== undefined && { next_page_token: next }),
  };
}

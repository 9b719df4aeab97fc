import { Type } from 'typebox';
import { type ArmFacts, checkTags, mutate, type Subscription, subscriptionPath } from '../../../kernel/arm/index.ts';
import { type Answer, created, noContent, ok, type Route } from '../../../kernel/http/index.ts';
import { armRoute } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { gatewayApiErrors } from '../errors.ts';
import { type TagName, tagNameKey, tagNames } from './collections.ts';
import { countOf, type NameUsage, usageOf } from './usage.ts';

const NAMES = '/subscriptions/{subscriptionId}/tagNames';
const NAME = `${NAMES}/{tagName}` as const;
const VALUE = `${NAME}/tagValues/{tagValue}` as const;
const ACTION = 'Vendor.Resources/subscriptions/tagNames';

/** All values of a name are in one document; people choose from them. */
const MOST_VALUES = 1000;

const text = Type.String();
const Count = Type.Object({ type: text, value: Type.Integer() });
const ValueSchema = Type.Object({ id: text, tagValue: text, count: Count });
const NameSchema = Type.Object({ id: text, tagName: text, count: Count, values: Type.Array(ValueSchema) });

/** The tag names of a subscription and how often each is used. */
export const tagNameRoutes: readonly Route[] = [
  armRoute({
    method: 'GET',
    path: NAMES,
    operation: 'Tags_List',
    summary: 'The tag names of a subscription, defined or in use, with their values and numbers of uses',
    action: `${ACTION}/read`,
    responses: { 200: Type.Object({ value: Type.Array(NameSchema), nextLink: Type.Optional(text) }) },
    async handle(call, arm) {
      const { subscriptionId } = arm.subscription as Subscription;
      const usage = await usageOf(call.jar.store, subscriptionId);
      const sorted = [...usage].sort(([a], [b]) => (a < b ? -1 : 1));
      return ok({ value: sorted.map(([, each]) => nameView(subscriptionId, each)) });
    },
  }),
  armRoute({
    method: 'PUT',
    path: NAME,
    operation: 'Tags_CreateOrUpdate',
    summary: 'Defines a tag name: 201, or 200 if it already exists',
    action: `${ACTION}/write`,
    responses: { 200: NameSchema, 201: NameSchema },
    async handle(call, arm): Promise<Answer> {
      const { tagName } = call.params;
      checkTags({ [tagName]: '' });
      const { subscriptionId } = arm.subscription as Subscription;
      const isNew = await mutate(call, async (tx) => {
        if (await definedName(tx, arm, tagName)) return false;
        await tx.put(tagNames, tagNameKey(subscriptionId, tagName), { subscriptionId, tagName, values: [] });
        return true;
      });
      const key = tagName.toLowerCase();
      const usage = (await usageOf(call.jar.store, subscriptionId)).get(key);
      const view = nameView(subscriptionId, usage ?? { name: tagName, count: 0, values: new Map() });
      return isNew ? created(view) : ok(view);
    },
  }),
  armRoute({
    method: 'DELETE',
    path: NAME,
    operation: 'Tags_Delete',
    summary: 'Deletes a tag name that has no values and is not in use: 200, or 204 if it does not exist',
    action: `${ACTION}/delete`,
    responses: { 200: 'Removed', 204: 'There is none' },
    async handle(call, arm) {
      const { tagName: name } = call.params;
      const subscription = arm.subscription as Subscription;
      const wasThere = await mutate(call, async (tx) => {
        const count = await countOf(tx, subscription, name);
        if (count > 0) throw gatewayApiErrors.TagNameInUse({ name, count });
        const found = await definedName(tx, arm, name);
        if (!found) return false;
        const values = found.values.length;
        if (values > 0) throw gatewayApiErrors.TagNameHasTagValues({ name, values });
        return tx.delete(tagNames, tagNameKey(subscription.subscriptionId, name));
      });
      return wasThere ? { status: 200 } : noContent();
    },
  }),
  armRoute({
    method: 'PUT',
    path: VALUE,
    operation: 'Tags_CreateOrUpdateValue',
    summary: 'Defines a value of a tag name: 201, or 200 if it already exists',
    action: `${ACTION}/tagValues/write`,
    responses: { 200: ValueSchema, 201: ValueSchema },
    async handle(call, arm): Promise<Answer> {
      const { tagName: name, tagValue: value } = call.params;
      checkTags({ [name]: value });
      const subscription = arm.subscription as Subscription;
      const { subscriptionId } = subscription;
      const outcome = await mutate(call, async (tx) => {
        const found = await definedName(tx, arm, name);
        if (!found) throw gatewayApiErrors.TagNameNotFound({ name });
        const count = await countOf(tx, subscription, name, value);
        if (found.values.includes(value)) return { count, isNew: false, name: found.tagName };
        if (found.values.length >= MOST_VALUES) throw gatewayApiErrors.TooManyTagValues({ name, maximum: MOST_VALUES });
        const values = [...found.values, value];
        await tx.put(tagNames, tagNameKey(subscriptionId, name), { ...found, values });
        return { count, isNew: true, name: found.tagName };
      });
      const view = valueView(nameId(subscriptionId, outcome.name), value, outcome.count);
      return outcome.isNew ? created(view) : ok(view);
    },
  }),
  armRoute({
    method: 'DELETE',
    path: VALUE,
    operation: 'Tags_DeleteValue',
    summary: 'Deletes a value of a tag name that is not in use: 200, or 204 if it does not exist',
    action: `${ACTION}/tagValues/delete`,
    responses: { 200: 'Removed', 204: 'There is none' },
    async handle(call, arm) {
      const { tagName: name, tagValue: value } = call.params;
      const subscription = arm.subscription as Subscription;
      const wasThere = await mutate(call, async (tx) => {
        const count = await countOf(tx, subscription, name, value);
        if (count > 0) throw gatewayApiErrors.TagValueInUse({ name, value, count });
        const found = await definedName(tx, arm, name);
        if (!found?.values.includes(value)) return false;
        const values = found.values.filter((each) => each !== value);
        await tx.put(tagNames, tagNameKey(subscription.subscriptionId, name), { ...found, values });
        return true;
      });
      return wasThere ? { status: 200 } : noContent();
    },
  }),
];

async function definedName(tx: Tx, arm: ArmFacts, name: string): Promise<TagName | undefined> {
  const { subscriptionId } = arm.subscription as Subscription;
  return (await tx.get(tagNames, tagNameKey(subscriptionId, name)))?.value;
}

const nameId = (subscriptionId: string, name: string): string => `${subscriptionPath(subscriptionId)}/tagNames/${name}`;

const total = (value: number) => ({ type: 'Total', value });

function nameView(subscriptionId: string, { name, count, values }: NameUsage): Record<string, unknown> {
  const id = nameId(subscriptionId, name);
  return {
    id,
    tagName: name,
    count: total(count),
    values: [...values].map(([value, has]) => valueView(id, value, has)),
  };
}

const valueView = (id: string, tagValue: string, count: number): Record<string, unknown> => ({
  id: `${id}/tagValues/${tagValue}`,
  tagValue,
  count: total(count),
});

import { Type } from 'typebox';
import { noContent, ok } from '../../../kernel/http/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { appOf } from '../access/access.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { readDefinition } from './audience-definition.ts';
import { countMembers, customPropertiesOf } from './audience-members.ts';
import { type Audience, audiences, CUSTOM_TYPES, type CustomType } from './collections.ts';

const LONGEST_NAME = 64;
const LONGEST_DESCRIPTION = 128;
const LONGEST_DEFINITION = 2000;
const MOST_AUDIENCES = 1000;

const CustomProperties = Type.Record(Type.String(), Type.Enum([...CUSTOM_TYPES]));

const Body = Type.Object({
  description: Type.Optional(Type.String({ maxLength: LONGEST_DESCRIPTION })),
  definition: Type.String({ minLength: 1, maxLength: LONGEST_DEFINITION }),
  enabled: Type.Optional(Type.Boolean()),
  custom_properties: Type.Optional(CustomProperties),
});

const Summary = {
  name: Type.String(),
  description: Type.Optional(Type.String()),
  definition: Type.String(),
  estimated_count: Type.Integer(),
  state: Type.Enum(['Calculating', 'Ready', 'Disabled']),
};

const Whole = Type.Object({
  ...Summary,
  enabled: Type.Boolean(),
  custom_properties: CustomProperties,
  timestamp: Type.String(),
  estimated_total_count: Type.Integer(),
});

const keyOf = (appId: string, name: string): string => `${appId}/${name}`;

export const listAudiences = routeCode([], {
  query: Type.Object({ include_disabled: Type.Optional(Type.Boolean()) }),
  responses: { 200: Type.Object({ values: Type.Array(Type.Object(Summary)) }) },
  async handle(call) {
    const { jar, query } = call;
    const appId = appOf(call).id;
    const { items } = await jar.store.query(audiences, { prefix: `${appId}/`, limit: MOST_AUDIENCES });
    const listed = items.map(({ value }) => value).filter(({ enabled }) => enabled || query.include_disabled === true);
    const { counts } = await countMembers(
      jar,
      appId,
      listed.map((each) => membersOf(jar, each)),
    );
    return ok({ values: listed.map((each, index) => summaryOf(each, counts[index] ?? 0)) });
  },
});

export const getAudience = routeCode(['audience_name'], {
  responses: { 200: Whole },
  async handle(call) {
    const { jar, params } = call;
    const appId = appOf(call).id;
    const found = await jar.store.get(audiences, keyOf(appId, params.audience_name));
    if (!found) throw unknown(params.audience_name);
    return ok(await wholeOf(jar, appId, found.value));
  },
});

export const audienceNameExists = routeCode(['audience_name'], {
  responses: { 204: 'The audience exists', 404: 'There is none' },
  async handle(call) {
    const { jar, params } = call;
    if (await jar.store.get(audiences, keyOf(appOf(call).id, params.audience_name))) return noContent();
    throw unknown(params.audience_name);
  },
});

/** Creates an audience or replaces the one with the same name. */
export const createOrUpdateAudience = routeCode(['audience_name'], {
  body: Body,
  responses: { 200: Whole },
  async handle(call) {
    const { jar, params, body } = call;
    const appId = appOf(call).id;
    const name = params.audience_name;
    if (name.length > LONGEST_NAME) {
      throw errors.BadRequest({ reason: `The name of an audience has at most ${LONGEST_NAME} characters.` });
    }
    const now = jar.clock.now();
    const customProperties = await typesOf(jar, appId, body.custom_properties);
    readDefinition(body.definition, customProperties, now);
    const audience = await jar.store.transact(async (tx) => {
      const known = (await tx.get(audiences, keyOf(appId, name)))?.value;
      if (!known && (await tx.count(audiences, { prefix: `${appId}/` })) >= MOST_AUDIENCES) {
        throw errors.BadRequest({ reason: `An app has at most ${MOST_AUDIENCES} audiences.` });
      }
      const written: Audience = {
        name,
        ...(body.description !== undefined && { description: body.description }),
        definition: body.definition,
        enabled: body.enabled ?? true,
        customProperties,
        createdAt: known?.createdAt ?? new Date(now).toISOString(),
      };
      await tx.put(audiences, keyOf(appId, name), written);
      const subject = subjectOf(appId, name);
      await tx.change({ source: 'lifecycle', kind: 'write', subject, outcome: 'Succeeded', at: now, data: {} });
      return written;
    });
    return ok(await wholeOf(jar, appId, audience));
  },
});

export const deleteAudience = routeCode(['audience_name'], {
  responses: { 204: 'Deleted' },
  async handle(call) {
    const { jar, params } = call;
    const appId = appOf(call).id;
    const name = params.audience_name;
    const at = jar.clock.now();
    await jar.store.transact(async (tx) => {
      if (!(await tx.delete(audiences, keyOf(appId, name)))) throw unknown(name);
      const subject = subjectOf(appId, name);
      await tx.change({ source: 'lifecycle', kind: 'delete', subject, outcome: 'Succeeded', at, data: {} });
    });
    return noContent();
  },
});

/** Counts the devices that match a definition. */
export const testAudience = routeCode([], {
  body: Body,
  responses: {
    200: Type.Object({
      definition: Type.String(),
      custom_properties: CustomProperties,
      estimated_count: Type.Integer(),
      estimated_total_count: Type.Integer(),
    }),
  },
  async handle(call) {
    const { jar, body } = call;
    const appId = appOf(call).id;
    const customProperties = await typesOf(jar, appId, body.custom_properties);
    const members = readDefinition(body.definition, customProperties, jar.clock.now());
    const { counts, total } = await countMembers(jar, appId, [members]);
    return ok({
      definition: body.definition,
      custom_properties: customProperties,
      estimated_count: counts[0] ?? 0,
      estimated_total_count: total,
    });
  },
});

/** The types of declared properties and of properties seen on devices. */
const typesOf = async (
  jar: Jar,
  appId: string,
  declared: Readonly<Record<string, CustomType>> = {},
): Promise<Record<string, CustomType>> => ({ ...(await customPropertiesOf(jar, appId)), ...declared });

const membersOf = ({ clock }: Jar, { definition, customProperties }: Audience) =>
  readDefinition(definition, customProperties, clock.now());

const summaryOf = ({ name, description, definition, enabled }: Audience, count: number) => ({
  name,
  ...(description !== undefined && { description }),
  definition,
  estimated_count: count,
  state: enabled ? 'Ready' : 'Disabled',
});

async function wholeOf(jar: Jar, appId: string, audience: Audience) {
  const { counts, total } = await countMembers(jar, appId, [membersOf(jar, audience)]);
  return {
    ...summaryOf(audience, counts[0] ?? 0),
    enabled: audience.enabled,
    custom_properties: audience.customProperties,
    timestamp: audience.createdAt,
    estimated_total_count: total,
  };
}

const unknown = (name: string) =>
  errors.NotFound({ reason: `There is no audience '${name.slice(0, LONGEST_NAME)}' in this app.` });

const subjectOf = (appId: string, name: string): string => `lifecycle/apps/${appId}/audiences/${name}`;

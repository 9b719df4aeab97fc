import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { readPropertyId } from '../../../../src/services/mail/extras/property-id.ts';
import { normalValue } from '../../../../src/services/mail/extras/property-value.ts';
import { onAnyStore, onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';

const GUID = '66f5a359-4659-4830-9070-00047ec6ac6e';
const COLOR = `String {${GUID}} Name Color`;
const PALETTE = `StringArray {${GUID}} Name Palette`;
const COUNT = `Integer {${GUID}} Id 0x8012`;

onBothStores('extended properties', (bench) => {
  let client: Client;

  beforeEach(async () => {
    await bench.jar.reset();
    client = await graphClient(bench);
  });

  it('properties can be sent with a new message, are changed by PATCH, and are shown by an expansion with ids', async () => {
    const draft = await client.api('/me/messages').post({
      subject: 'Green',
      singleValueExtendedProperties: [
        { id: `string ${GUID.toUpperCase()} name Color`, value: 'Green' },
        { id: `Integer {${GUID}} Id 32786`, value: 7 },
      ],
      multiValueExtendedProperties: [{ id: PALETTE, value: ['Green', 'Aqua', 'Blue'] }],
    });
    expect(draft).not.toHaveProperty('singleValueExtendedProperties');
    const path = `/me/messages/${draft.id}`;
    const one = await client.api(path).expand(`singleValueExtendedProperties($filter=id eq '${COLOR}')`).get();
    expect(one.singleValueExtendedProperties).toEqual([{ id: COLOR, value: 'Green' }]);
    const written = `String {${GUID.toUpperCase()}} Name COLOR`;
    const two = await client
      .api(path)
      .expand(`singleValueExtendedProperties($filter=id eq '${written}' or id eq '${COUNT}')`)
      .get();
    expect(two.singleValueExtendedProperties).toEqual([
      { id: COLOR, value: 'Green' },
      { id: COUNT, value: '7' },
    ]);
    const many = await client.api(path).expand(`multiValueExtendedProperties($filter=id eq '${PALETTE}')`).get();
    expect(many.multiValueExtendedProperties).toEqual([{ id: PALETTE, value: ['Green', 'Aqua', 'Blue'] }]);
    const changed = await client.api(path).patch({
      singleValueExtendedProperties: [
        { id: COLOR, value: 'Red' },
        { id: COUNT, value: null },
      ],
    });
    expect(changed).not.toHaveProperty('singleValueExtendedProperties');
    const after = await client
      .api(path)
      .expand(`singleValueExtendedProperties($filter=id in ('${COLOR}','${COUNT}'))`)
      .get();
    expect(after.singleValueExtendedProperties).toEqual([{ id: COLOR, value: 'Red' }]);
  });

  it('messages are found by the value of a property, however its id is written', async () => {
    for (const [subject, value] of [
      ['a', 'Green'],
      ['b', 'Blue'],
    ])
      await client.api('/me/messages').post({
        subject,
        singleValueExtendedProperties: [{ id: COLOR, value }],
        multiValueExtendedProperties: [{ id: PALETTE, value: [value, 'White'] }],
      });
    await client.api('/me/messages').post({ subject: 'c' });
    const subjects = async (filter: string): Promise<string[]> =>
      (await client.api('/me/messages').filter(filter).get()).value
        .map((each: { subject: string }) => each.subject)
        .sort();
    const single = (id: string, rest: string) => `singleValueExtendedProperties/any(ep: ep/id eq '${id}'${rest})`;
    expect(await subjects(single(COLOR, " and ep/value eq 'Green'"))).toEqual(['a']);
    expect(await subjects(single(`string ${GUID.toUpperCase()} name color`, " and ep/value eq 'Blue'"))).toEqual(['b']);
    expect(await subjects(single(COLOR, " and ep/value eq 'green'"))).toEqual([]);
    expect(await subjects(single(COLOR, ''))).toEqual(['a', 'b']);
    expect(await subjects(single(COLOR, ' and ep/value ne null'))).toEqual(['a', 'b']);
    expect(await subjects(single(COLOR, " and startswith(ep/value, 'Bl')"))).toEqual(['b']);
    expect(
      await subjects(`multiValueExtendedProperties/any(ep: ep/id eq '${PALETTE}' and ep/value eq 'White')`),
    ).toEqual(['a', 'b']);
  });
});

onAnyStore('what extended properties refuse', (bench) => {
  let client: Client;
  let path: string;

  beforeEach(async () => {
    await bench.jar.reset();
    client = await graphClient(bench);
    path = `/me/messages/${(await client.api('/me/messages').post({ subject: 'x' })).id}`;
  });

  it.each([
    'singleValueExtendedProperties',
    'multiValueExtendedProperties',
    "singleValueExtendedProperties($filter=value eq 'Green')",
    `singleValueExtendedProperties($filter=id eq '${COLOR}' or value eq 'Green')`,
    `singleValueExtendedProperties($filter=id ne '${COLOR}')`,
  ])('an expansion that names no ids: %s', async (expand) => {
    await expect(client.api(path).expand(expand).get()).rejects.toMatchObject({
      statusCode: 400,
      code: 'ErrorInvalidUrlQueryFilter',
    });
  });

  it.each([
    ['an id of no form', [{ id: 'Color', value: 'x' }]],
    ['an unknown type', [{ id: `Text {${GUID}} Name Color`, value: 'x' }]],
    ['a type for many values', [{ id: PALETTE, value: 'x' }]],
    ['a number that is none', [{ id: COUNT, value: 'seven' }]],
    ['no id', [{ value: 'x' }]],
    ['a list as a value', [{ id: COLOR, value: ['x'] }]],
    ['something else beside', [{ id: COLOR, value: 'x', more: 1 }]],
  ])('%s', async (_, singleValueExtendedProperties) => {
    await expect(client.api(path).patch({ singleValueExtendedProperties })).rejects.toMatchObject({ statusCode: 400 });
    const shown = await client.api(path).expand(`singleValueExtendedProperties($filter=id eq '${COLOR}')`).get();
    expect(shown.singleValueExtendedProperties).toEqual([]);
  });

  it('a single-value type for several values', async () => {
    await expect(
      client.api(path).patch({ multiValueExtendedProperties: [{ id: COLOR, value: ['x'] }] }),
    ).rejects.toMatchObject({ statusCode: 400, code: 'ErrorInvalidProperty' });
  });
});

describe('ids of extended properties', () => {
  it.each([
    [COLOR, COLOR],
    [`string ${GUID.toUpperCase()}  Name  Color`, COLOR],
    [`String {${GUID}} Name Two Words `, `String {${GUID}} Name Two Words`],
    [`INTEGER {${GUID}} id 0x08012`, COUNT],
    [`Integer {${GUID}} Id 32786`, COUNT],
    ['String 0x4001', 'String 0x4001'],
    ['systemtimearray 0x4001', 'SystemTimeArray 0x4001'],
    ['clsid 0x0FF4', 'CLSID 0xff4'],
  ])('%s has the normal form %s', (written, normal) => {
    expect(readPropertyId(written)?.id).toBe(normal);
  });

  it.each([
    '',
    'Color',
    'String',
    'String 4001',
    'String 0x10000',
    'String 0x0',
    `String {${GUID}}`,
    `String {${GUID}} Name`,
    `String {${GUID}} Id x`,
    `String {${GUID}} Id 0x100000000`,
    `BooleanArray {${GUID}} Name X`,
    `String {${GUID.slice(1)}} Name X`,
    `String {${GUID}} Name ${'x'.repeat(128)}`,
    `${'String '.repeat(1000)}`,
  ])('%s is no id', (written) => {
    expect(readPropertyId(written)).toBeUndefined();
  });
});

describe('values of extended properties', () => {
  it.each([
    ['Integer', '+007', '7'],
    ['Integer', '2147483648', undefined],
    ['Short', '-32768', '-32768'],
    ['Short', '32768', undefined],
    ['Long', '9223372036854775807', '9223372036854775807'],
    ['Long', '9223372036854775808', undefined],
    ['Boolean', 'True', 'true'],
    ['Boolean', '1', undefined],
    ['Double', '1.50', '1.5'],
    ['Double', '1e999', undefined],
    ['Double', 'NaN', undefined],
    ['Binary', 'AAEC', 'AAEC'],
    ['Binary', 'A', undefined],
    ['SystemTime', '2020-01-02T03:04:05+01:00', '2020-01-02T02:04:05Z'],
    ['SystemTime', 'tomorrow', undefined],
    ['CLSID', `{${GUID.toUpperCase()}}`, GUID],
    ['String', '', ''],
    ['Null', 'x', undefined],
  ] as const)('%s %s becomes %s', (type, written, normal) => {
    expect(normalValue(type, written)).toBe(normal);
  });
});

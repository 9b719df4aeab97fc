import { describe, expect, it } from 'vitest';
import type { GridEvent } from '../../../../src/services/events/event.ts';
import { EventView } from '../../../../src/services/events/matching/event-view.ts';
import { keyPath } from '../../../../src/services/events/matching/keys.ts';
import { spellingOf } from '../../../../src/services/events/matching/spelling.ts';
import { aCloudEvent, aCustomEvent, anEvent, TOPIC } from './samples.ts';

const at = (event: GridEvent, key: string): unknown => new EventView(event, spellingOf([])).at(keyPath(key)).value;

const DATA = {
  color: 'red',
  Deep: { er: { n: 1 } },
  siteName: 'shop',
  a: 1,
  A: 2,
  list: [{ n: 1 }],
  'dot.ted': 1,
  text: 'abc',
  nil: null,
};

describe('a key', () => {
  const native = anEvent({ data: DATA });
  it.each([
    ['Id', 'e-1'],
    ['id', 'e-1'],
    ['ID', 'e-1'],
    ['Topic', TOPIC],
    ['source', TOPIC],
    ['Subject', '/orders/1'],
    ['EventType', 'Shop.OrderPlaced'],
    ['type', 'Shop.OrderPlaced'],
    ['EventTime', '2024-05-01T10:00:00Z'],
    ['DataVersion', '2'],
    ['data.color', 'red'],
    ['Data.color', 'red'],
    ['DATA.COLOR', 'red'],
    ['data.Deep.er.n', 1],
    ['data.deep.ER.N', 1],
    ['data.sitename', 'shop'],
    ['data.Deep', DATA.Deep],
    ['data.nil', null],
    ['data', DATA],
  ])('of a native event leads to what it has: %s', (key, value) => {
    expect(at(native, key)).toEqual(value);
  });

  it.each([
    'color',
    'specversion',
    'subject.length',
    'data.color.length',
    'data.list.0',
    'data.list.n',
    'data.list.length',
    'data.dot.ted',
    'data.none',
    'data.',
    '.data',
    '.',
    'data..color',
    'data.__proto__',
    'data.constructor',
    'data.toString',
    'data.text.0',
    '__proto__',
    'constructor',
    'hasOwnProperty',
  ])('of a native event leads nowhere: %s', (key) => {
    expect(at(native, key)).toBeUndefined();
  });

  it('finds the member of exactly this name before one that differs in case', () => {
    expect(at(native, 'data.a')).toBe(1);
    expect(at(native, 'data.A')).toBe(2);
  });

  it('finds a member that is called __proto__ only where the event has it', () => {
    const event = anEvent({ data: JSON.parse('{"__proto__":{"color":"red"}}') });
    expect(at(event, 'data.__proto__.color')).toBe('red');
    expect(at(event, 'data.color')).toBeUndefined();
  });

  const cloud = aCloudEvent({
    tenant: 'contoso',
    datacontenttype: 'application/json',
    dataschema: 'urn:x',
    time: 't',
    data: DATA,
  });
  it.each([
    ['id', 'c-1'],
    ['source', '/shops/7'],
    ['Source', '/shops/7'],
    ['type', 'Shop.OrderPlaced'],
    ['eventType', 'Shop.OrderPlaced'],
    ['specversion', '1.0'],
    ['time', 't'],
    ['datacontenttype', 'application/json'],
    ['dataschema', 'urn:x'],
    ['tenant', 'contoso'],
    ['Tenant', 'contoso'],
    ['topic', TOPIC],
    ['data.color', 'red'],
    ['data.deep.er.n', 1],
    ['subject', undefined],
    ['other', undefined],
    ['constructor', undefined],
  ])('of a CloudEvent leads to what it has: %s', (key, value) => {
    expect(at(cloud, key)).toEqual(value);
  });

  it('finds an extension of a CloudEvent before a name that only other schemas have', () => {
    expect(at(aCloudEvent({ topic: 'mine' }), 'topic')).toBe('mine');
  });

  it('of an event in a custom schema leads into its data, or else into the payload itself', () => {
    const withData = aCustomEvent({ kind: 'k', data: { color: 'red' }, color: 'green', size: 3 });
    expect(at(withData, 'data.color')).toBe('red');
    expect(at(withData, 'data.size')).toBe(3);
    expect(at(withData, 'color')).toBe('green');
    expect(at(withData, 'Kind')).toBe('k');
    const withoutData = aCustomEvent({ color: 'green', nested: { n: 1 } });
    expect(at(withoutData, 'data.color')).toBe('green');
    expect(at(withoutData, 'data.nested.n')).toBe(1);
    expect(at(withoutData, 'nested.n')).toBe(1);
    expect(at(withoutData, 'data.none')).toBeUndefined();
  });

  it('of an event in a custom schema leads to what the topic has mapped, where the payload has no such name', () => {
    expect(at(aCustomEvent({ color: 'green' }), 'eventType')).toBe('Shop.OrderPlaced');
    expect(at(aCustomEvent({ Subject: 'own' }), 'subject')).toBe('own');
  });
});

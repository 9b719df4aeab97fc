import { describe, expect, it } from 'vitest';
import { aCloudEvent, anEvent, matches, refusal } from './samples.ts';

describe('the subject', () => {
  it.each([
    [{ subjectBeginsWith: '/orders' }, true],
    [{ subjectBeginsWith: '/ORDERS/1/Items' }, true],
    [{ subjectBeginsWith: '/orders/1/items/7.jpg' }, true],
    [{ subjectBeginsWith: '/orders/1/items/7.jpg/' }, false],
    [{ subjectBeginsWith: 'orders' }, false],
    [{ subjectBeginsWith: '/orders/*' }, false],
    [{ subjectEndsWith: '.JPG' }, true],
    [{ subjectEndsWith: '.png' }, false],
    [{ subjectBeginsWith: '/orders', subjectEndsWith: '.jpg' }, true],
    [{ subjectBeginsWith: '/orders', subjectEndsWith: '.png' }, false],
    [{ subjectBeginsWith: '/ORDERS', isSubjectCaseSensitive: true }, false],
    [{ subjectEndsWith: '.JPG', isSubjectCaseSensitive: true }, false],
    [{ subjectBeginsWith: '/orders', subjectEndsWith: '.jpg', isSubjectCaseSensitive: true }, true],
    [{ subjectBeginsWith: '', subjectEndsWith: '' }, true],
  ])('is held against %j: %j', (filter, expected) => {
    expect(matches(filter, anEvent({ subject: '/orders/1/items/7.jpg' }))).toBe(expected);
  });

  it('of a CloudEvent without one is empty for these filters and absent for advanced ones', () => {
    expect(matches({ subjectBeginsWith: '/' }, aCloudEvent())).toBe(false);
    expect(matches({}, aCloudEvent())).toBe(true);
    expect(matches({ advancedFilters: [{ operatorType: 'IsNullOrUndefined', key: 'subject' }] }, aCloudEvent())).toBe(
      true,
    );
  });

  it('may be anything where advanced filters stay without regard to case', () => {
    const filter = {
      isSubjectCaseSensitive: true,
      advancedFilters: [{ operatorType: 'StringBeginsWith', key: 'Subject', values: ['/ORDERS'] }],
    };
    expect(matches(filter, anEvent())).toBe(true);
  });
});

describe('included event types', () => {
  it.each([
    [['Shop.OrderPlaced'], true],
    [['shop.orderplaced'], true],
    [['Shop.OrderSent', 'SHOP.ORDERPLACED'], true],
    [['Shop.OrderSent'], false],
    [['Shop.Order'], false],
    [['All'], true],
    [[], true],
    [null, true],
    [['All', 'Shop.OrderSent'], false],
  ])('%j: %j', (includedEventTypes, expected) => {
    expect(matches({ includedEventTypes }, anEvent())).toBe(expected);
  });
});

describe('provider prefixes', () => {
  const write = anEvent({
    type: 'Vendor.Resources.ResourceWriteSuccess',
    subject: '/subscriptions/s/resourceGroups/g/providers/Vendor.ContainerInstance/containerGroups/one',
    data: { operationName: 'Vendor.ContainerInstance/containerGroups/write' },
  });
  const spoken = [
    { includedEventTypes: ['Microsoft.Resources.ResourceWriteSuccess'] },
    { includedEventTypes: ['MICROSOFT.resources.resourcewritesuccess'] },
    { subjectBeginsWith: '/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerInstance/' },
    {
      subjectBeginsWith: '/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerInstance/',
      isSubjectCaseSensitive: true,
    },
    {
      advancedFilters: [
        {
          operatorType: 'StringIn',
          key: 'data.operationName',
          values: ['microsoft.ContainerInstance/containerGroups/write'],
        },
      ],
    },
    { advancedFilters: [{ operatorType: 'StringBeginsWith', key: 'eventType', values: ['Microsoft.Resources.'] }] },
    {
      advancedFilters: [
        { operatorType: 'StringContains', key: 'subject', values: ['/providers/Microsoft.ContainerInstance/'] },
      ],
    },
  ];

  it.each(spoken)('are all equivalent if they are configured: %j', (filter) => {
    expect(matches(filter, write, ['Contoso', 'Microsoft'])).toBe(true);
    expect(matches(filter, write, [])).toBe(false);
    expect(matches(filter, write, ['Contoso'])).toBe(false);
  });

  it('are equivalent the other way round, when an event arrives with an alias', () => {
    const event = anEvent({ type: 'Microsoft.Storage.BlobCreated' });
    expect(matches({ includedEventTypes: ['Vendor.Storage.BlobCreated'] }, event, ['Microsoft'])).toBe(true);
    expect(matches({ includedEventTypes: ['Contoso.Storage.BlobCreated'] }, event, ['Microsoft', 'Contoso'])).toBe(
      true,
    );
  });

  it('do not change parts of words: a filter can match the text as it is written in the event', () => {
    const event = anEvent({ type: 'Microsoft.Storage.BlobCreated' });
    const contains = (text: string) => ({
      advancedFilters: [{ operatorType: 'StringContains', key: 'type', values: [text] }],
    });
    expect(matches(contains('soft.stor'), event, ['Microsoft'])).toBe(true);
    expect(matches({ includedEventTypes: ['Resources.ResourceWriteSuccess'] }, write, ['Microsoft'])).toBe(false);
  });

  it('refuse by negative operators in every spelling', () => {
    const filter = {
      advancedFilters: [
        { operatorType: 'StringNotIn', key: 'eventType', values: ['Microsoft.Resources.ResourceWriteSuccess'] },
      ],
    };
    expect(matches(filter, write, ['Microsoft'])).toBe(false);
    expect(matches(filter, write, [])).toBe(true);
  });

  it('may have characters that mean something in patterns', () => {
    expect(matches({ includedEventTypes: ['A.B.x'] }, anEvent({ type: 'Vendor.x' }), ['A.B'])).toBe(true);
    expect(matches({ includedEventTypes: ['AxB.x'] }, anEvent({ type: 'Vendor.x' }), ['A.B'])).toBe(false);
  });
});

describe('the reason of a refusal', () => {
  const event = anEvent({
    data: { color: 'red', n: 5, list: [1, 2], on: true, nil: null, deep: {}, long: 'x'.repeat(5000) },
  });
  const filter = (operatorType: string, key: string, operand: object = {}) => ({
    advancedFilters: [{ operatorType, key, ...operand }],
  });
  it.each([
    [{ includedEventTypes: ['X'] }, "the type 'Shop.OrderPlaced' is not among the included event types"],
    [{ subjectBeginsWith: '/carts' }, "the subject does not begin with '/carts'"],
    [{ subjectEndsWith: '.jpg' }, "the subject does not end with '.jpg'"],
    [
      filter('StringIn', 'data.color', { values: ['green', 'blue'] }),
      "data.color is 'red', StringIn wants 'green' or 'blue'",
    ],
    [
      filter('StringNotIn', 'data.color', { values: ['red', 'blue'] }),
      "data.color is 'red', StringNotIn wants none of 'red', 'blue'",
    ],
    [filter('StringIn', 'data.none', { values: ['green'] }), "data.none is absent, StringIn wants 'green'"],
    [filter('NumberLessThan', 'data.n', { value: 5 }), 'data.n is 5, NumberLessThan wants 5'],
    [
      filter('NumberInRange', 'data.n', {
        values: [
          [1, 2],
          [6, 7],
        ],
      }),
      'data.n is 5, NumberInRange wants 1 to 2 or 6 to 7',
    ],
    [filter('BoolEquals', 'data.on', { value: false }), 'data.on is true, BoolEquals wants false'],
    [filter('IsNullOrUndefined', 'data.n'), 'data.n is 5, IsNullOrUndefined wants nothing there'],
    [filter('IsNotNull', 'data.nil'), 'data.nil is null, IsNotNull wants a value'],
    [
      filter('NumberIn', 'data.list', { values: [1] }),
      'data.list is an array of 2, which the filter does not look into, NumberIn wants 1',
    ],
    [
      { ...filter('NumberIn', 'data.list', { values: [3] }), enableAdvancedFilteringOnArrays: true },
      'data.list is an array of 2, NumberIn wants 3',
    ],
    [filter('StringIn', 'data.deep', { values: ['x'] }), "data.deep is an object, StringIn wants 'x'"],
    [filter('StringIn', 'data.long', { values: ['y'] }), `data.long is '${'x'.repeat(100)}…', StringIn wants 'y'`],
  ])('is told in words: %j', (sent, words) => {
    expect(refusal(sent, event)).toBe(words);
  });

  it('is the first condition that does not hold: the type, then the subject, then the advanced filters in their order', () => {
    const all = { includedEventTypes: ['X'], subjectBeginsWith: '/carts', ...filter('IsNotNull', 'data.none') };
    expect(refusal(all, event)).toContain('the type');
    expect(refusal({ ...all, includedEventTypes: null }, event)).toContain('the subject');
    expect(refusal({ ...all, includedEventTypes: null, subjectBeginsWith: null }, event)).toContain('data.none');
    expect(refusal({}, event)).toBeUndefined();
  });
});

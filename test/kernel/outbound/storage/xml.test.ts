import { describe, expect, it } from 'vitest';
import { readXml, textAt, XmlError } from '../../../../src/kernel/outbound/storage/xml.ts';

describe('XML of a storage service', () => {
  it('is elements with text, attributes and references', () => {
    const list = readXml(
      `\uFEFF<?xml version="1.0" encoding="utf-8"?>\n<List At='http://a/&amp;b' Empty="">
        <Blob><Name Encoded="true">a &lt;&#38;&#x1F600;&apos;&quot;&gt; </Name><Size>12</Size></Blob><Next/></List>`,
    );
    expect(list.attributes).toEqual({ At: 'http://a/&b', Empty: '' });
    expect(list.children.map(({ name }) => name)).toEqual(['Blob', 'Next']);
    expect(textAt(list, 'Blob', 'Name')).toBe(`a <&\u{1F600}'"> `);
    expect(textAt(list, 'Blob', 'Size')).toBe('12');
    expect(textAt(list, 'Next')).toBe('');
    expect(textAt(list, 'Blob', 'Nothing', 'There')).toBeUndefined();
  });

  it.each([
    ['nothing', ''],
    ['text alone', 'text'],
    ['two elements', '<a/><b/>'],
    ['an element that does not end', '<a><b></b>'],
    ['an end without a beginning', '</a>'],
    ['ends in the wrong order', '<a><b></a></b>'],
    ['a document type', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
    ['an entity that nobody knows', '<a>&nbsp;</a>'],
    ['a character that there is not', '<a>&#x110000;</a>'],
    ['a comment', '<a><!-- b --></a>'],
    ['a section of raw text', '<a><![CDATA[b]]></a>'],
    ['an attribute without quotes', '<a b=c/>'],
    ['elements within elements without an end', '<a>'.repeat(100) + '</a>'.repeat(100)],
  ])('is not %s', (_, text) => {
    expect(() => readXml(text)).toThrow(XmlError);
  });

  it('parses long and hostile lists in linear time', () => {
    const blobs = Array.from({ length: 20_000 }, (_, i) => `<Blob><Name>${i}</Name></Blob>`).join('');
    expect(readXml(`<Blobs>${blobs}</Blobs>`).children).toHaveLength(20_000);
    expect(() => readXml(`<a ${'b="c" '.repeat(50_000)}`)).toThrow(XmlError);
    expect(() => readXml('<a'.repeat(50_000))).toThrow(XmlError);
    expect(() => readXml(`<a>${'&'.repeat(100_000)}`)).toThrow(XmlError);
  });
});

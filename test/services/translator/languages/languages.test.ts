import { describe, expect, it } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { ask, VERSION } from '../support.ts';
import { DICTIONARY, RIGHT_TO_LEFT, TRANSLATION, TRANSLITERATION } from './documented.ts';

withJar((bench) => {
  const languages = (query = '', headers: Record<string, string> = {}) =>
    ask(bench, '/languages', { method: 'GET', key: null, query: `${VERSION}${query}`, headers });

  it('needs no authentication, and ignores credentials', async () => {
    expect((await languages()).status).toBe(200);
    expect((await languages('', { 'Ocp-Apim-Subscription-Key': 'wrong', authorization: 'Bearer wrong' })).status).toBe(
      200,
    );
  });

  it('the languages of translation are those of the documentation', async () => {
    const { translation } = (await languages()).body;
    expect(Object.keys(translation).sort()).toEqual([...TRANSLATION].sort());
    expect(TRANSLATION).toHaveLength(135);
    expect(translation.fr).toEqual({ name: 'French', nativeName: 'Français', dir: 'ltr' });
    const rightToLeft = Object.keys(translation).filter((code) => translation[code].dir === 'rtl');
    expect(rightToLeft.sort()).toEqual([...RIGHT_TO_LEFT].sort());
  });

  it.each(TRANSLITERATION)('%s is transliterated from %j', async (code, scripts) => {
    const { transliteration } = (await languages('&scope=transliteration')).body;
    expect(Object.keys(transliteration)).toHaveLength(TRANSLITERATION.length);
    const found = transliteration[code].scripts.map((script: { code: string; toScripts: { code: string }[] }) => [
      script.code,
      script.toScripts.map((to) => to.code),
    ]);
    expect(Object.fromEntries(found)).toEqual(scripts);
  });

  it('a script has a name in the language of the answer and one in its own', async () => {
    const { transliteration } = (await languages('&scope=transliteration', { 'accept-language': 'de' })).body;
    expect(transliteration.ar).toMatchObject({ name: 'Arabisch', nativeName: 'العربية' });
    expect(transliteration.ar.scripts[1]).toEqual({
      code: 'Latn',
      name: 'Lateinisch',
      nativeName: 'اللاتينية',
      dir: 'ltr',
      toScripts: [{ code: 'Arab', name: 'Arabisch', nativeName: 'العربية', dir: 'rtl' }],
    });
  });

  it('dictionaries are from English to other languages, and from those to English', async () => {
    const { dictionary } = (await languages('&scope=dictionary')).body;
    expect(Object.keys(dictionary).sort()).toEqual([...DICTIONARY, 'en'].sort());
    for (const code of DICTIONARY) {
      expect(dictionary[code].translations).toEqual([
        { name: 'English', nativeName: 'English', dir: 'ltr', code: 'en' },
      ]);
    }
    const targets = dictionary.en.translations.map((target: { code: string }) => target.code);
    expect(targets.sort()).toEqual([...DICTIONARY].sort());
    expect(dictionary.de).toMatchObject({ name: 'German', nativeName: 'Deutsch', dir: 'ltr' });
  });

  it.each([
    ['', ['translation', 'transliteration', 'dictionary']],
    ['&scope=translation', ['translation']],
    ['&scope=dictionary,translation', ['translation', 'dictionary']],
    ['&Scope=Dictionary,%20DICTIONARY', ['dictionary']],
  ])('the query %j gives the groups %j', async (query, groups) => {
    expect(Object.keys((await languages(query)).body)).toEqual(groups);
  });

  describe('names', () => {
    it.each([
      ['de', 'Deutsch', 'Chinesisch (Vereinfacht)'],
      ['fr', 'Allemand', 'Chinois (simplifié)'],
      ['zh-Hant', '德文', '中文（簡體）'],
      ['ru', 'Немецкий', 'Китайский (упрощенная)'],
      ['ka', 'გერმანული', 'ჩინური (გამარტივებული)'],
      ['fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', 'Allemand', 'Chinois (simplifié)'],
      ['xx, es;q=0.5, de;q=0.4', 'Alemán', 'Chino (simplificado)'],
      ['de;q=0.1, it;q=0.2', 'Tedesco', 'Cinese (semplificato)'],
      ['de;Q=0.2, it;q=0.1', 'Deutsch', 'Chinesisch (Vereinfacht)'],
      ['de;q=0', 'German', 'Chinese Simplified'],
      ['en-GB', 'German', 'Chinese Simplified'],
      ['tlh', 'German', 'Chinese Simplified'],
      ['*', 'German', 'Chinese Simplified'],
      ['', 'German', 'Chinese Simplified'],
      ['not a language; at all,,,;q=', 'German', 'Chinese Simplified'],
    ])('for %j German is %s and zh-Hans %s', async (accepted, german, chinese) => {
      const { translation } = (await languages('&scope=translation', { 'accept-language': accepted })).body;
      expect(translation.de.name).toBe(german);
      expect(translation['zh-Hans'].name).toBe(chinese);
      expect(translation.de.nativeName).toBe('Deutsch');
    });

    it('there is one for every language, in whatever language', async () => {
      for (const accepted of ['en', 'de', 'ar', 'ja', 'fil']) {
        const { translation } = (await languages('&scope=translation', { 'accept-language': accepted })).body;
        for (const { name, nativeName } of Object.values<{ name: string; nativeName: string }>(translation)) {
          expect(name).toMatch(/\S/);
          expect(nativeName).toMatch(/\S/);
        }
      }
    });

    it('Kurdish, Portuguese and Dari are told apart from their relatives', async () => {
      const { translation } = (await languages('&scope=translation', { 'accept-language': 'de' })).body;
      expect(translation.ku.name).toBe('Zentralkurdisch');
      expect(translation.pt.name).toBe('Portugiesisch (Brasilien)');
      expect(translation['pt-pt'].name).toBe('Portugiesisch (Portugal)');
      expect(translation.prs.name).toBe('Persisch (Afghanistan)');
    });
  });

  describe('an ETag', () => {
    it('saves a client with the current answer from getting it again', async () => {
      const first = await languages();
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]+"$/);
      for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await languages('', { 'if-none-match': condition });
        expect(again).toMatchObject({ status: 304, text: '' });
        expect(again.headers.get('etag')).toBe(etag);
        // No content-length: the client's cached answer determines the length.
        expect(again.headers.get('content-length')).toBeNull();
        expect(again.headers.get('x-requestid')).toMatch(/^[0-9a-f-]{36}$/);
      }
    });

    it('is another for other groups and other languages', async () => {
      const etag = (await languages()).headers.get('etag') ?? '';
      const conditional = { 'if-none-match': etag };
      expect((await languages('&scope=translation', conditional)).status).toBe(200);
      expect((await languages('', { ...conditional, 'accept-language': 'de' })).status).toBe(200);
      expect((await languages('&scope=dictionary,translation,transliteration', conditional)).status).toBe(304);
    });
  });

  it('HEAD has the headers of GET', async () => {
    const reply = await ask(bench, '/languages', { method: 'HEAD', key: null });
    expect(reply).toMatchObject({ status: 200, text: '' });
    expect(reply.headers.get('etag')).toBe((await languages()).headers.get('etag'));
  });
});

import { answersOf, type Contender, importPackage } from './detector.ts';

interface Lingua {
  readonly LanguageDetectorBuilder: {
    fromAllLanguages(): { withPreloadedLanguageModels(): { build(): LinguaDetector } };
  };
}

interface LinguaDetector {
  detectLanguageOf(text: string): string | undefined;
  computeLanguageConfidenceValues(text: string): { language: string; confidence: number }[];
}

/** It answers with English language names. */
const CODE_OF_NAME: Readonly<Record<string, string>> = {
  Afrikaans: 'af',
  Albanian: 'sq',
  Arabic: 'ar',
  Armenian: 'hy',
  Azerbaijani: 'az',
  Basque: 'eu',
  Belarusian: 'be',
  Bengali: 'bn',
  Bokmal: 'nb',
  Bosnian: 'bs',
  Bulgarian: 'bg',
  Catalan: 'ca',
  Chinese: 'zh',
  Croatian: 'hr',
  Czech: 'cs',
  Danish: 'da',
  Dutch: 'nl',
  English: 'en',
  Esperanto: 'eo',
  Estonian: 'et',
  Finnish: 'fi',
  French: 'fr',
  Ganda: 'lg',
  Georgian: 'ka',
  German: 'de',
  Greek: 'el',
  Gujarati: 'gu',
  Hebrew: 'he',
  Hindi: 'hi',
  Hungarian: 'hu',
  Icelandic: 'is',
  Indonesian: 'id',
  Irish: 'ga',
  Italian: 'it',
  Japanese: 'ja',
  Kazakh: 'kk',
  Korean: 'ko',
  Latin: 'la',
  Latvian: 'lv',
  Lithuanian: 'lt',
  Macedonian: 'mk',
  Malay: 'ms',
  Maori: 'mi',
  Marathi: 'mr',
  Mongolian: 'mn',
  Nynorsk: 'nn',
  Persian: 'fa',
  Polish: 'pl',
  Portuguese: 'pt',
  Punjabi: 'pa',
  Romanian: 'ro',
  Russian: 'ru',
  Serbian: 'sr',
  Shona: 'sn',
  Slovak: 'sk',
  Slovene: 'sl',
  Somali: 'so',
  Sotho: 'st',
  Spanish: 'es',
  Swahili: 'sw',
  Swedish: 'sv',
  Tagalog: 'tl',
  Tamil: 'ta',
  Telugu: 'te',
  Thai: 'th',
  Tsonga: 'ts',
  Tswana: 'tn',
  Turkish: 'tr',
  Ukrainian: 'uk',
  Urdu: 'ur',
  Vietnamese: 'vi',
  Welsh: 'cy',
  Xhosa: 'xh',
  Yoruba: 'yo',
  Zulu: 'zu',
};

export const lingua: Contender = {
  name: 'lingua',
  title: '@bluzzi/lingua 1.5, high accuracy',
  codes: Object.values(CODE_OF_NAME),
  givesProbabilities: true,
  async load() {
    const { LanguageDetectorBuilder } = await importPackage<Lingua>('@bluzzi/lingua');
    const detector = LanguageDetectorBuilder.fromAllLanguages().withPreloadedLanguageModels().build();
    const answer = answersOf(lingua);
    return {
      detect(text) {
        const name = detector.detectLanguageOf(text);
        return name === undefined ? undefined : answer(CODE_OF_NAME[name] ?? name);
      },
      detectWithScore(text) {
        const [best, next] = detector.computeLanguageConfidenceValues(text);
        // Its plain call also returns no answer if two languages are equally likely.
        if (!best || best.confidence === 0 || best.confidence === next?.confidence) return undefined;
        return answer(CODE_OF_NAME[best.language] ?? best.language, best.confidence);
      },
    };
  },
};

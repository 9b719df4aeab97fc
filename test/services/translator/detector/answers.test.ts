import { beforeAll, describe, expect, it } from 'vitest';
import { type Detector, loadDetector } from '../../../../src/services/translator/detector/index.ts';

let detector: Detector;

beforeAll(async () => {
  detector = await loadDetector();
});

const language = (text: string): string => detector.detect(text).language;

describe('A text of a few words', () => {
  it.each([
    ['en', 'The quick brown fox jumps over the lazy dog.'],
    ['de', 'Der Zug hatte heute Morgen wieder zwanzig Minuten Verspätung.'],
    ['fr', 'Nous avons passé une très belle journée au bord de la mer.'],
    ['es', 'Mañana por la mañana vamos a visitar a nuestros abuelos.'],
    ['pt', 'Você já viu o ônibus que vai para o centro da cidade?'],
    ['it', 'Questa sera mangiamo una pizza con gli amici in centro.'],
    ['nl', 'Wij hebben gisteren een hele mooie wandeling gemaakt.'],
    ['sv', 'Jag tycker att vi ska åka till sjön i helgen.'],
    ['da', 'Jeg synes, at vi skal tage på en tur i weekenden.'],
    ['fi', 'Huomenna sataa luultavasti vettä koko päivän.'],
    ['pl', 'Wczoraj byliśmy w kinie na bardzo dobrym filmie.'],
    ['cs', 'Včera jsme byli v kině na velmi dobrém filmu.'],
    ['hu', 'Tegnap egy nagyon jó filmet láttunk a moziban.'],
    ['tr', 'Yarın sabah erkenden yola çıkmamız gerekiyor.'],
    ['vi', 'Hôm nay trời đẹp quá, chúng ta đi dạo nhé.'],
    ['sw', 'Watoto wanacheza mpira uwanjani kila siku jioni.'],
    ['ru', 'Завтра утром мы поедем на дачу к бабушке.'],
    ['uk', 'Завтра вранці ми поїдемо на дачу до бабусі.'],
    ['bg', 'Утре сутринта ще отидем на вилата при баба.'],
    ['mn-Cyrl', 'Маргааш өглөө бид хөдөө явна гэж төлөвлөж байна.'],
    ['ar', 'ذهبنا أمس إلى السوق واشترينا بعض الفواكه.'],
    ['fa', 'دیروز به بازار رفتیم و کمی میوه خریدیم.'],
    ['ur', 'کل ہم بازار گئے اور کچھ پھل خریدے۔'],
    ['hi', 'कल हम बाज़ार गए और कुछ फल खरीदे।'],
    ['mr', 'काल आम्ही बाजारात गेलो आणि काही फळे विकत घेतली.'],
    ['zh-Hans', '我们昨天去市场买了一些水果,这个东西很便宜。'],
    ['zh-Hant', '我們昨天去市場買了一些水果,這個東西很便宜。'],
    ['yue', '我哋琴日去街市買咗啲生果,呢啲嘢好平。'],
    ['ja', '昨日は市場に行って果物を買いました。'],
    ['sr-Cyrl', 'Јуче смо ишли на пијацу и купили нешто воћа.'],
    ['am', 'ትናንት ወደ ገበያ ሄደን ፍራፍሬ ገዛን።'],
    ['he', 'אתמול הלכנו לשוק וקנינו פירות.'],
    ['yi', 'נעכטן זענען מיר געגאנגען אויפן מארק און געקויפט פרוכט.'],
  ])('is %s: %s', (expected, text) => {
    expect(language(text)).toBe(expected);
  });
});

describe('A writing system with one language decides alone', () => {
  it.each([
    ['ko', '안녕하세요'],
    ['el', 'καλημέρα'],
    ['hy', 'բարեւ'],
    ['ka', 'გამარჯობა'],
    ['th', 'สวัสดี'],
    ['lo', 'ສະບາຍດີ'],
    ['km', 'សួស្តី'],
    ['my', 'မင်္ဂလာပါ'],
    ['si', 'ආයුබෝවන්'],
    ['ta', 'வணக்கம்'],
    ['te', 'నమస్కారం'],
    ['kn', 'ನಮಸ್ಕಾರ'],
    ['ml', 'നമസ്കാരം'],
    ['gu', 'નમસ્તે'],
    ['pa', 'ਸਤ ਸ੍ਰੀ ਅਕਾਲ'],
    ['or', 'ନମସ୍କାର'],
    ['dv', 'އައްސަލާމް'],
    ['iu', 'ᐊᐃᓐᖓᐃ'],
    ['mn-Mong', 'ᠮᠣᠩᠭᠣᠯ'],
    ['tlh-Piqd', '\uf8e4\uf8d7\uf8dc\uf8d0\uf8db'],
    ['shi', 'ⴰⵣⵓⵍ'],
  ])('%s: %s', (expected, text) => {
    const found = detector.detect(text);
    expect(found.language).toBe(expected);
    expect(found.score).toBeGreaterThan(0.9);
    expect(found.alternatives).toEqual([]);
  });
});

describe('What is not plain text', () => {
  it.each([
    ['nothing', ''],
    ['spaces', ' \t\n '],
    ['numbers', '1234567890 3.14 %'],
    ['signs', '!!! ??? --- ...'],
    ['emoji', '😀😀😀 👍🏽 👩‍👩‍👧'],
    ['a lone surrogate', '\ud83d'],
    ['many lone surrogates', '\udc00\ud800'.repeat(1000)],
  ])('%s gives the answer for no text', (_, text) => {
    expect(detector.detect(text)).toEqual({ language: 'en', score: 0, alternatives: [] });
  });

  it('an address does not influence the language of the text around it', () => {
    expect(
      language(
        'Schau mal hier vorbei, das ist lustig: https://www.example.com/the/quick/brown/fox?with=some&english=words',
      ),
    ).toBe('de');
  });

  it('an address alone gets some answer', () => {
    expect(detector.languages).toContain(language('https://example.com/articles/weather'));
  });

  it('program text with comments is taken for the language of its words', () => {
    expect(
      language(
        '// Gibt die Summe aller Werte zurück\nfunction sum(values) { return values.reduce((a, b) => a + b, 0); }',
      ),
    ).toMatch(/de|en/);
  });

  it('fifty thousand times one letter is answered', () => {
    expect(detector.languages).toContain(language('a'.repeat(50_000)));
  });

  it('letters with marks of their own are read like composed ones', () => {
    const composed = 'Größere Änderungen müssen überprüft werden';
    expect(detector.detect(composed.normalize('NFD'))).toEqual(detector.detect(composed));
  });

  it('capital letters change nothing', () => {
    const text = 'Der Zug hatte heute wieder Verspätung';
    expect(detector.detect(text.toUpperCase())).toEqual(detector.detect(text));
  });

  it('wide Latin letters are read like narrow ones', () => {
    expect(language('Ｄｉｅ Ｋａｔｚｅ ｓｃｈｌäｆｔ ａｕｆ ｄｅｍ Ｓｏｆａ')).toBe('de');
  });
});

describe('Text in two writing systems', () => {
  it('names both languages, with shares like their parts', () => {
    const { language: first, score, alternatives } = detector.detect('Καλημέρα σας, Привет всем друзьям');
    expect([first, ...alternatives.map((other) => other.language)].sort()).toEqual(['el', 'ru']);
    expect(score + alternatives.reduce((sum, other) => sum + other.score, 0)).toBeLessThanOrEqual(1.000001);
  });

  it('keeps to the language of most letters', () => {
    expect(language('Wir haben gestern das Lied «Калинка» gehört und dazu getanzt')).toBe('de');
    expect(language('私は Microsoft と Google のサービスを毎日使っています')).toBe('ja');
  });
});

describe('Text in two languages of one alphabet', () => {
  const german =
    'Am Wochenende fahren wir mit den Kindern an den See, weil das Wetter endlich besser werden soll. Danach besuchen wir die Großeltern. ';
  const polish =
    'W weekend jedziemy z dziećmi nad jezioro, ponieważ pogoda ma się wreszcie poprawić. Potem odwiedzimy dziadków na wsi. ';

  it('names both when it is long enough to be judged part by part', () => {
    const { language: first, alternatives } = detector.detect(german.repeat(3) + polish.repeat(3));
    expect([first, ...alternatives.map((other) => other.language)].sort()).toEqual(['de', 'pl']);
  });

  it('is the one with more in it', () => {
    expect(language(german.repeat(5) + polish.repeat(2))).toBe('de');
    expect(language(german.repeat(2) + polish.repeat(5))).toBe('pl');
  });

  it('is looked at from its beginning to its end, however long it is', () => {
    const { language: first, score } = detector.detect(german + polish.repeat(400));
    expect(first).toBe('pl');
    expect(score).toBeGreaterThan(0.7);
  });
});

describe('What people try first', () => {
  it.each([
    ['en', 'hello'],
    ['en', 'Hello world'],
    ['en', 'thank you'],
    ['fr', 'bonjour'],
    ['fr', 'merci beaucoup'],
    ['es', 'hola'],
    ['es', 'buenos días'],
    ['it', 'ciao'],
    ['de', 'Guten Tag'],
    ['pt', 'obrigado'],
    ['ru', 'привет'],
    ['ja', 'こんにちは'],
    ['zh-Hans', '你好,谢谢'],
    ['ar', 'شكرا جزيلا'],
  ])('is %s: %s', (expected, text) => {
    expect(language(text)).toBe(expected);
  });
});

describe('Restricted answers', () => {
  it('are only those allowed', () => {
    const allowed = new Set(['en', 'de']);
    expect(detector.detect('Nous avons passé une belle journée', allowed).language).toMatch(/^(en|de)$/);
  });

  it('report a variety as its language', () => {
    const allowed = new Set(['pt', 'fr', 'es', 'en']);
    expect(
      detector.detect('O autocarro chegou atrasado e o telemóvel ficou sem bateria no comboio', allowed).language,
    ).toBe('pt');
  });

  it('give the answer for no text when nothing is allowed', () => {
    expect(detector.detect('Guten Morgen', new Set()).score).toBe(0);
  });
});

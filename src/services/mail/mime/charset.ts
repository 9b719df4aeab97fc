/** Charset labels that occur in mail but are missing from the Encoding Standard, with the standard label of the same charset. */
const ALIASES: Readonly<Record<string, string>> = {
  cp1252: 'windows-1252',
  cp1251: 'windows-1251',
  cp1250: 'windows-1250',
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
  'ansi_x3.4-1986': 'windows-1252',
  'iso-8859-8-e': 'iso-8859-8',
  'shift-jis': 'shift_jis',
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
  'x-euc-jp': 'euc-jp',
  'iso-2022-jp-1': 'iso-2022-jp',
  'iso-2022-jp-2': 'iso-2022-jp',
  'tis-620': 'windows-874',
  'utf-8mb4': 'utf-8',
  unknown: 'utf-8',
  'unknown-8bit': 'utf-8',
};

/** A longer label is not looked up: no charset has so long a name. */
const LONGEST_LABEL = 40;

/**
 * Decodes bytes as text. An unknown charset is read as windows-1252, in which every byte is a character. US-ASCII and a missing charset are
 * read as UTF-8 if the bytes are valid UTF-8, since senders that declare nothing mostly send UTF-8. Never throws.
 */
export function decodeBytes(bytes: Uint8Array, charset?: string): string {
  const label = (charset ?? '').trim().toLowerCase();
  if (label === '' || label === 'us-ascii' || label === 'ascii' || label === 'utf-8' || label === 'utf8') {
    return label.startsWith('utf') ? new TextDecoder().decode(bytes) : (strictUtf8(bytes) ?? latin1(bytes));
  }
  return decoderFor(label).decode(bytes);
}

function strictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const latin1 = (bytes: Uint8Array): string => new TextDecoder('windows-1252').decode(bytes);

function decoderFor(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label.length > LONGEST_LABEL ? 'windows-1252' : (ALIASES[label] ?? label));
  } catch {
    return new TextDecoder('windows-1252');
  }
}

/**
 * Problems with reading or writing files. The texts appear in messages of synchronizations: they contain neither secrets nor paths of the
 * machine. Final problems (`true`) persist until a user changes something.
 */
export const STORAGE_PROBLEMS = {
  AccountNameInvalid: [
    true,
    'The storage account name {account} is not valid: it must be 3 to 24 lower-case letters and digits.',
  ],
  AccountMisconfigured: [true, 'The connection string of the storage account {account} {reason}.'],
  ContainerNameInvalid: [true, "'{name}' is not a valid container name."],
  ContainerNotFound: [true, "The storage account {account} has no container '{container}'."],
  FileNameInvalid: [true, "The file name '{name}' cannot be used: {reason}."],
  FileNotFound: [true, "The container '{container}' has no file '{name}'."],
  FileChanged: [false, "The file '{name}' changed while it was read."],
  FileTooLarge: [true, "The file '{name}' is larger than a blob of {most} bytes."],
  PathConflict: [true, "The file '{name}' cannot be written: {reason}."],
  TargetInSource: [true, "The target folder '{folder}' is inside the source folder."],
  LinkRefused: [true, "The path of '{name}' contains a symbolic link."],
  AccessDenied: [true, 'The storage account {account} denies access: {reason}.'],
  StorageFull: [false, 'The storage account {account} has no space left.'],
  StorageFailed: [false, 'The storage account {account} failed: {reason}.'],
  StorageRefused: [true, 'The storage account {account} refused the request: {reason}.'],
} as const satisfies Readonly<Record<string, readonly [isFinal: boolean, message: string]>>;

export type StorageProblemCode = keyof typeof STORAGE_PROBLEMS;

/** The placeholder names in a message. */
type Words<Text extends string> = Text extends `${string}{${infer Word}}${infer Rest}` ? Word | Words<Rest> : never;

const MOST_SHOWN = 300;

export class StorageProblem extends Error {
  readonly code: StorageProblemCode;
  readonly isFinal: boolean;
  /** Values of the placeholders. */
  readonly words: ProblemWords;

  constructor(code: StorageProblemCode, words: ProblemWords, options?: ErrorOptions) {
    super(messageOf(code, words), options);
    this.name = 'StorageProblem';
    this.code = code;
    this.isFinal = STORAGE_PROBLEMS[code][0];
    this.words = words;
  }
}

export type ProblemWords = Readonly<Record<string, string | number>>;

/** The message of a problem. `account` replaces the storage account's name for readers who must not know it. */
export function messageOf(code: StorageProblemCode, words: ProblemWords, account = `'${words.account}'`): string {
  return STORAGE_PROBLEMS[code][1].replace(/\{(\w+)\}/g, (_, word: string) =>
    shown(word === 'account' ? account : String(words[word] ?? '')),
  );
}

export function storageProblem<Code extends StorageProblemCode>(
  code: Code,
  words: Readonly<Record<Words<(typeof STORAGE_PROBLEMS)[Code][1]>, string | number>>,
  options?: ErrorOptions,
): StorageProblem {
  return new StorageProblem(code, words, options);
}

/** Names come from users, so control characters are replaced and long names are cut. */
function shown(text: string): string {
  const plain = text.toWellFormed().replace(/\p{Cc}/gu, '\uFFFD');
  return plain.length > MOST_SHOWN ? `${plain.slice(0, MOST_SHOWN).toWellFormed()}…` : plain;
}

export const isProblem = (error: unknown, ...codes: readonly StorageProblemCode[]): error is StorageProblem =>
  error instanceof StorageProblem && codes.includes(error.code);

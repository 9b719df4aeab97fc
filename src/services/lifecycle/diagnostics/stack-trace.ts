import type { App } from '../collections.ts';
import type { Frame, Report, ReportBody } from './collections.ts';
import { framesOf, NativeCode } from './frames.ts';
import { type Content, readException, readThreads, type SentException } from './read-log.ts';
import { codeOf, isClassMethod, languageOf } from './views.ts';

/** Builds the stack trace of a report from the app's log. */

const PLATFORMS: Readonly<Record<string, string>> = {
  Java: 'android',
  'Objective-C-Swift': 'ios',
  Xamarin: 'xamarin',
  Unity: 'unity',
  'React-Native': 'react-native',
};

const platformOf = ({ platform }: App): string => PLATFORMS[platform] ?? 'other';

const frameView = (app: App) => (frame: Frame) => ({
  ...(frame.address !== undefined && { address: frame.address }),
  ...(frame.className !== undefined && { class_name: frame.className }),
  ...(frame.methodName !== undefined && { method: frame.methodName }),
  class_method: isClassMethod(frame),
  ...(frame.fileName !== undefined && { file: frame.fileName }),
  ...(frame.lineNumber !== undefined && { line: frame.lineNumber }),
  app_code: frame.isAppCode,
  ...(frame.framework !== undefined && { framework_name: frame.framework }),
  code_raw: codeOf(frame, true),
  code_formatted: codeOf(frame, false),
  language: languageOf(app),
  relevant: frame.isAppCode,
});

type ReadFrames = (exception: SentException) => Frame[];

const exceptionView = (exception: SentException, framesIn: ReadFrames, app: App) => ({
  ...(exception.message !== undefined && { reason: exception.message }),
  type: exception.type,
  frames: framesIn(exception).map(frameView(app)),
  relevant: true,
  platform: platformOf(app),
});

/** `groupingOnly` omits everything except the cause. */
export function stackTraceView(report: Report, body: ReportBody, app: App, { groupingOnly = false } = {}) {
  const { content } = body;
  const native = new NativeCode(content);
  const framesIn: ReadFrames =
    body.type === 'appleError' ? ({ frames }) => frames.map((frame) => native.frame(frame)) : framesOf;
  const exception = readException(content.exception);
  const threads = [...causes(exception, framesIn, app), ...threadViews(content, framesIn, native, app)];
  return {
    title: report.reasonFrame ? codeOf(report.reasonFrame, false) : report.exceptionType,
    ...(report.exceptionMessage !== undefined && { reason: report.exceptionMessage }),
    threads: groupingOnly ? threads.filter(({ crashed }) => crashed) : threads,
    ...(exception && { exception: exceptionView(exception, framesIn, app) }),
  };
}

/** The causes of an exception, outermost first. */
function causes(exception: SentException | undefined, framesIn: ReadFrames, app: App): ThreadView[] {
  return (exception?.inner ?? []).flatMap((cause) => [
    {
      title: `Caused by: ${cause.type}${cause.message === undefined ? '' : `: ${cause.message}`}`,
      frames: framesIn(cause).map(frameView(app)),
      relevant: true,
      platform: platformOf(app),
      crashed: true,
    },
    ...causes(cause, framesIn, app),
  ]);
}

interface ThreadView {
  readonly title: string;
  readonly frames: readonly ReturnType<ReturnType<typeof frameView>>[];
  readonly exception?: ReturnType<typeof exceptionView>;
  readonly relevant: boolean;
  readonly platform: string;
  readonly crashed: boolean;
}

function threadViews(content: Content, framesIn: ReadFrames, native: NativeCode, app: App): ThreadView[] {
  const threads = readThreads(content.threads);
  const first = threads[0]?.id;
  const crashedId = content.errorThreadId === undefined ? first : String(content.errorThreadId);
  return threads.map(({ id, name, frames, exception }) => {
    const shown = frames.map((frame) => native.frame(frame));
    return {
      title: name ?? `Thread ${id}`,
      frames: shown.map(frameView(app)),
      ...(exception && { exception: exceptionView(exception, framesIn, app) }),
      relevant: shown.some(({ isAppCode }) => isAppCode),
      platform: platformOf(app),
      crashed: id === crashedId,
    };
  });
}

/** The stack trace as text, in console form. */
export function stackTraceText(report: Report, body: ReportBody, app: App): string {
  const { threads, exception } = stackTraceView(report, body, app);
  const head = [report.exceptionType, report.exceptionMessage].filter((part) => part !== undefined).join(': ');
  const lines = [head, ...(exception?.frames ?? []).map(({ code_raw }) => `    at ${code_raw}`)];
  for (const thread of threads) {
    lines.push('', thread.title, ...thread.frames.map(({ code_raw }) => `    at ${code_raw}`));
  }
  return `${lines.join('\n')}\n`;
}

import type { App } from '../collections.ts';
import type { Frame, Report, ReportBody, ReportGroup } from './collections.ts';
import { readProperties, textOf } from './read-log.ts';

/** Reports and groups in responses. */

const LANGUAGES: Readonly<Record<string, string>> = {
  Java: 'Java',
  'Objective-C-Swift': 'Objective-C',
  Xamarin: 'CSharp',
  UWP: 'CSharp',
  Unity: 'CSharp',
  WPF: 'CSharp',
  WinForms: 'CSharp',
  'React-Native': 'JavaScript',
  Cordova: 'JavaScript',
  Electron: 'JavaScript',
};

/** The language of the app's frames, as far as its platform determines it. */
export const languageOf = ({ platform }: Pick<App, 'platform'>): string => LANGUAGES[platform] ?? 'Unknown';

/** A readable frame such as `com.example.Shop.buy (Shop.java:3)`; `raw` gives the machine form. */
export function codeOf(frame: Frame, raw: boolean): string {
  const { className, methodName, fileName, lineNumber, address, code, framework } = frame;
  if (className === undefined && methodName === undefined)
    return [framework, code ?? address].filter(Boolean).join(' ');
  const name = [className, methodName].filter(Boolean).join('.');
  const place = [fileName, lineNumber].filter((part) => part !== undefined).join(':');
  return place === '' ? name : `${name}${raw ? '' : ' '}(${place})`;
}

export const reasonFrameView = (
  frame: Frame,
  app: App,
  types: { exceptionType?: string; osExceptionType?: string },
) => ({
  ...(frame.className !== undefined && { className: frame.className }),
  ...(frame.methodName !== undefined && { method: frame.methodName }),
  classMethod: isClassMethod(frame),
  ...(frame.fileName !== undefined && { file: frame.fileName }),
  ...(frame.lineNumber !== undefined && { line: frame.lineNumber }),
  appCode: frame.isAppCode,
  ...(frame.framework !== undefined && { frameworkName: frame.framework }),
  codeFormatted: codeOf(frame, false),
  codeRaw: codeOf(frame, true),
  language: languageOf(app),
  ...types,
});

/** In Objective-C, `+[Shop buy:]` is a class method and `-[Shop buy:]` an instance method. */
export const isClassMethod = ({ code }: Frame): boolean => code?.startsWith('+[') ?? false;

export function groupView(group: ReportGroup, app: App) {
  const { reasonFrame: frame, exceptionType, osExceptionType } = group;
  const types = { exceptionType, ...(osExceptionType !== undefined && { osExceptionType }) };
  return {
    errorGroupId: group.id,
    state: group.state,
    ...(group.annotation !== undefined && { annotation: group.annotation }),
    appVersion: group.version,
    appBuild: group.build,
    count: group.count,
    deviceCount: group.deviceCount,
    firstOccurrence: group.firstOccurrence,
    lastOccurrence: group.lastOccurrence,
    exceptionType,
    ...(group.exceptionMessage !== undefined && { exceptionMessage: group.exceptionMessage }),
    ...(frame && {
      ...(frame.className !== undefined && { exceptionClassName: frame.className }),
      exceptionClassMethod: isClassMethod(frame),
      ...(frame.methodName !== undefined && { exceptionMethod: frame.methodName }),
      exceptionAppCode: frame.isAppCode,
      ...(frame.fileName !== undefined && { exceptionFile: frame.fileName }),
      ...(frame.lineNumber !== undefined && { exceptionLine: String(frame.lineNumber) }),
      codeRaw: codeOf(frame, true),
    }),
    reasonFrames: frame ? [reasonFrameView(frame, app, types)] : [],
    hidden: false,
  };
}

/** `hasBreadcrumbs`: the report's session has logs. */
export function errorView(report: Report, hasBreadcrumbs: boolean) {
  const { device, userId } = report;
  return {
    errorId: report.id,
    timestamp: report.at,
    ...(device.model !== undefined && { deviceName: device.model }),
    ...(device.osVersion !== undefined && { osVersion: device.osVersion }),
    ...(device.osName !== undefined && { osType: device.osName }),
    ...(device.carrierCountry !== undefined && { country: device.carrierCountry }),
    ...(device.locale !== undefined && { language: device.locale }),
    ...(userId !== undefined && { userId }),
    hasBreadcrumbs,
    hasAttachments: report.attachments > 0,
  };
}

export function errorDetail(report: Report, { content }: ReportBody, app: App, hasBreadcrumbs: boolean) {
  const launchedAt = textOf(content.appLaunchTimestamp);
  const properties = readProperties(content.properties);
  const { carrierName } = report.device;
  return {
    ...errorView(report, hasBreadcrumbs),
    name: report.exceptionType,
    reasonFrames: report.reasonFrame
      ? [reasonFrameView(report.reasonFrame, app, { exceptionType: report.exceptionType })]
      : [],
    ...(launchedAt !== undefined && { appLaunchTimestamp: launchedAt }),
    ...(carrierName !== undefined && { carrierName }),
    ...(typeof content.jailbreak === 'boolean' && { jailbreak: content.jailbreak }),
    ...(properties && { properties }),
  };
}

import { Type } from 'typebox';
import { GROUP_STATES } from './collections.ts';

/** Response schemas of diagnostics. As in the real API, lists and groups use one naming style and stack traces the other. */

const text = Type.Optional(Type.String());
const truth = Type.Optional(Type.Boolean());

const ReasonFrame = Type.Object({
  className: text,
  method: text,
  classMethod: Type.Boolean(),
  file: text,
  line: Type.Optional(Type.Integer()),
  appCode: Type.Boolean(),
  frameworkName: text,
  codeFormatted: Type.String(),
  codeRaw: Type.String(),
  language: Type.String(),
  exceptionType: text,
  osExceptionType: text,
});

export const Group = Type.Object({
  errorGroupId: Type.String(),
  state: Type.Enum([...GROUP_STATES]),
  annotation: text,
  appVersion: Type.String(),
  appBuild: Type.String(),
  count: Type.Integer(),
  deviceCount: Type.Integer(),
  firstOccurrence: Type.String(),
  lastOccurrence: Type.String(),
  exceptionType: Type.String(),
  exceptionMessage: text,
  exceptionClassName: text,
  exceptionClassMethod: truth,
  exceptionMethod: text,
  exceptionAppCode: truth,
  exceptionFile: text,
  exceptionLine: text,
  codeRaw: text,
  reasonFrames: Type.Array(ReasonFrame),
  hidden: Type.Boolean(),
});

const listed = {
  errorId: Type.String(),
  timestamp: Type.String(),
  deviceName: text,
  osVersion: text,
  osType: text,
  country: text,
  language: text,
  userId: text,
  hasBreadcrumbs: Type.Boolean(),
  hasAttachments: Type.Boolean(),
};

export const ListedError = Type.Object(listed);

export const ErrorDetail = Type.Object({
  ...listed,
  name: Type.String(),
  reasonFrames: Type.Array(ReasonFrame),
  appLaunchTimestamp: text,
  carrierName: text,
  jailbreak: truth,
  properties: Type.Optional(Type.Record(Type.String(), Type.String())),
});

const TraceFrame = Type.Object({
  address: text,
  class_name: text,
  method: text,
  class_method: Type.Boolean(),
  file: text,
  line: Type.Optional(Type.Integer()),
  app_code: Type.Boolean(),
  framework_name: text,
  code_raw: Type.String(),
  code_formatted: Type.String(),
  language: Type.String(),
  relevant: Type.Boolean(),
});

const TraceException = Type.Object({
  reason: text,
  type: Type.String(),
  frames: Type.Array(TraceFrame),
  relevant: Type.Boolean(),
  platform: Type.String(),
});

export const StackTrace = Type.Object({
  title: Type.String(),
  reason: text,
  threads: Type.Array(
    Type.Object({
      title: Type.String(),
      frames: Type.Array(TraceFrame),
      exception: Type.Optional(TraceException),
      relevant: Type.Boolean(),
      platform: Type.String(),
      crashed: Type.Boolean(),
    }),
  ),
  exception: Type.Optional(TraceException),
});

export const DayCounts = Type.Object({
  count: Type.Integer(),
  errors: Type.Array(Type.Object({ datetime: Type.String(), count: Type.Integer() })),
});

export const Percentages = Type.Object({
  averagePercentage: Type.Number(),
  dailyPercentages: Type.Array(Type.Object({ datetime: Type.String(), percentage: Type.Number() })),
});

export const Location = Type.Object({ uri: Type.String() });

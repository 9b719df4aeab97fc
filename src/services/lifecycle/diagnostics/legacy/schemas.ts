import { Type } from 'typebox';
import { GROUP_STATES } from '../collections.ts';
import { StackTrace } from '../schemas.ts';

const text = Type.Optional(Type.String());

export const CrashGroup = Type.Object({
  crash_group_id: Type.String(),
  new_crash_group_id: Type.String(),
  display_id: Type.String(),
  app_version: Type.String(),
  build: Type.String(),
  status: Type.Enum([...GROUP_STATES]),
  count: Type.Integer(),
  impacted_users: Type.Integer(),
  first_occurrence: Type.String(),
  last_occurrence: Type.String(),
  exception: Type.String(),
  crash_reason: Type.String(),
  reason_frame: Type.Optional(
    Type.Object({
      class_name: text,
      method: text,
      class_method: Type.Boolean(),
      file: text,
      line: Type.Optional(Type.Integer()),
      app_code: Type.Boolean(),
      framework_name: text,
      code_formatted: Type.String(),
      code_raw: Type.String(),
      language: Type.String(),
      exception_type: text,
      os_exception_type: text,
    }),
  ),
  fatal: Type.Boolean(),
  annotation: Type.String(),
});

export const Crash = Type.Object({
  new_crash_group_id: Type.String(),
  crash_id: Type.String(),
  new_crash_id: Type.String(),
  display_id: Type.String(),
  timestamp: Type.String(),
  version: Type.String(),
  build: Type.String(),
  device: Type.String(),
  device_name: text,
  os_version: Type.String(),
  os_type: text,
  user_name: Type.String(),
  stacktrace: Type.Optional(StackTrace),
  details: Type.Optional(
    Type.Object({
      carrier_country: text,
      carrier_name: text,
      locale: Type.String(),
      os_build: text,
      rooted: Type.Boolean(),
      screen_size: Type.String(),
      app_start_timestamp: text,
    }),
  ),
});

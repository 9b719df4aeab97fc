import { Type } from 'typebox';
import { LONGEST_DISPLAY_NAME } from '../accounts/names.ts';
import { PLATFORMS, SYSTEMS } from './systems.ts';

/** Fields of apps in request bodies. Unknown properties are ignored, as in the real service. */

const LONGEST_DESCRIPTION = 5000;
const LONGEST_RELEASE_TYPE = 100;
const LONGEST_URL = 2000;

const orNull = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

const Name = Type.String();
const Description = Type.String({ maxLength: LONGEST_DESCRIPTION });
const DisplayName = Type.String({ minLength: 1, maxLength: LONGEST_DISPLAY_NAME });
/** One capitalised word; an empty text means none. */
const ReleaseType = Type.String({ maxLength: LONGEST_RELEASE_TYPE, pattern: '^$|^[A-Z0-9][a-z0-9]*$' });

export const NewAppBody = Type.Object({
  display_name: DisplayName,
  os: Type.Enum([...SYSTEMS]),
  platform: Type.Enum([...PLATFORMS]),
  name: orNull(Name),
  description: orNull(Description),
  release_type: orNull(ReleaseType),
});

export const AppChanges = Type.Object({
  display_name: Type.Optional(DisplayName),
  name: Type.Optional(Name),
  description: orNull(Description),
  release_type: orNull(ReleaseType),
  icon_url: orNull(Type.String({ maxLength: LONGEST_URL })),
  icon_asset_id: orNull(Type.String()),
});

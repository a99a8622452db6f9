import { IsIn, IsString, Matches, MaxLength } from 'class-validator';

export const CLIENT_ERROR_KINDS = ['screen', 'script', 'promise'] as const;

/** A fault of the web app in somebody's browser: what broke, in which release. Never who met it. */
export class ClientErrorDto {
  /**
   * The build: the hash in the name of its entry script
   * @example "index-Bx3k9QzT"
   */
  @Matches(/^[\w.-]{1,64}$/, { message: 'Release must be a name of at most 64 letters, digits, dots and dashes' })
  release: string;

  /** A screen that could not be shown, an error that no one caught, or a promise that no one did */
  @IsIn(CLIENT_ERROR_KINDS)
  kind: (typeof CLIENT_ERROR_KINDS)[number];

  /**
   * The screen's pattern, without ids
   * @example "/lists/:listId"
   */
  @Matches(/^\/[\w/:.*?-]{0,99}$/, { message: 'Screen must be the pattern of an address' })
  screen: string;

  /**
   * The error's name and text
   * @example "TypeError: Cannot read properties of undefined (reading 'icon')"
   */
  @MaxLength(300)
  @IsString()
  message: string;

  /**
   * Where it broke: lines of our own scripts
   * @example "at StatusBadge (/assets/format-C1x.js:1:2045)"
   */
  @MaxLength(1200)
  @IsString()
  stack: string;
}

import { IsIn, IsString, Matches, MaxLength } from 'class-validator';

export const CLIENT_ERROR_KINDS = ['screen', 'script', 'promise'] as const;

/** An error of the web app in a browser: what failed, and in which release. It never says who was affected. */
export class ClientErrorDto {
  /**
   * The release: the hash in the name of the entry script
   * @example "index-Bx3k9QzT"
   */
  @Matches(/^[\w.-]{1,64}$/, { message: 'Release must be a name of at most 64 letters, digits, dots and dashes' })
  release: string;

  /** What happened: a screen failed to render, an error was not caught, or a promise rejection was not handled */
  @IsIn(CLIENT_ERROR_KINDS)
  kind: (typeof CLIENT_ERROR_KINDS)[number];

  /**
   * Route pattern of the screen, without ids
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
   * Stack trace; only lines of our own scripts
   * @example "at StatusBadge (/assets/format-C1x.js:1:2045)"
   */
  @MaxLength(1200)
  @IsString()
  stack: string;
}

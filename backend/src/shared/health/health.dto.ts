import { ApiProperty } from '@nestjs/swagger';

/** How the process is. */
export class HealthDto {
  /**
   * ok, or the answer is a 503
   * @example "ok"
   */
  status: string;

  /** Each part that was looked at */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, example: { database: 'up', queue: 'up', migrations: 'up' } })
  parts: Record<string, string>;
}

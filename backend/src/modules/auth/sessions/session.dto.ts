import { ApiProperty } from '@nestjs/swagger';

/** A signed-in device. */
export class DeviceSessionDto {
  /**
   * The session's id
   * @example "0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10"
   */
  id: string;

  /**
   * Readable description of the device
   * @example "Chrome on Windows"
   */
  device: string;

  /**
   * User-Agent at sign-in
   * @example "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
   */
  @ApiProperty({ type: String, nullable: true })
  userAgent: string | null;

  /**
   * IP address at sign-in
   * @example "203.0.113.7"
   */
  @ApiProperty({ type: String, nullable: true })
  ipAddress: string | null;

  /**
   * When the device signed in
   * @example "2025-01-05T10:00:00.000Z"
   */
  createdAt: string;

  /**
   * When the device was last used, to within a few minutes
   * @example "2025-01-06T08:30:00.000Z"
   */
  lastSeenAt: string;

  /**
   * Whether this is the caller's own device
   * @example true
   */
  current: boolean;
}

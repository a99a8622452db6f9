import type { LoggerService } from '@nestjs/common';

const ROLL_CALL = new Set(['InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestFactory']);

/** A logger without the framework's roll-call of modules and routes at every start. */
export function withoutRollCall(logger: LoggerService): LoggerService {
  const log = (message: unknown, ...rest: unknown[]): void => {
    if (!ROLL_CALL.has(String(rest.at(-1)))) logger.log(message, ...rest);
  };
  return new Proxy(logger, { get: (target, name) => (name === 'log' ? log : Reflect.get(target, name).bind(target)) });
}

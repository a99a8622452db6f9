import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Settings } from './settings.js';

/** Provides the checked settings to all modules. */
@Global()
@Module({})
export class SettingsModule {
  static with(settings: Settings): DynamicModule {
    return { module: SettingsModule, providers: [{ provide: Settings, useValue: settings }], exports: [Settings] };
  }
}

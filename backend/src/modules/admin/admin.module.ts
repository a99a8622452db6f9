import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { OriginGuard } from '../../shared/http/index.js';
import { AuthModule } from '../auth/index.js';
import { ComposingModule } from '../composing/index.js';
import { BouncesModule } from '../bounces/index.js';
import { DeliveryModule } from '../delivery/index.js';
import { HistoryModule } from '../history/index.js';
import { ListsModule } from '../lists/index.js';
import { MailAccountsModule } from '../mail-accounts/index.js';
import { AdminContactsController } from './admin-contacts.controller.js';
import { AdminFilesController } from './admin-files.controller.js';
import { AdminImports } from './admin-imports.service.js';
import { AdminImportsController } from './admin-imports.controller.js';
import { AdminOverview } from './admin-overview.service.js';
import { AdminOverviewController } from './admin-overview.controller.js';
import { AdminProvidersController } from './admin-providers.controller.js';
import { AdminSenders } from './admin-senders.service.js';
import { AdminUsers } from './admin-users.service.js';
import { AdminUsersController } from './admin-users.controller.js';
import { QueuesPage, QUEUES_PATH } from './queues-page.js';

/**
 * API of the admin screens. The admin guard protects each route, and each route calls another module's public
 * interface.
 */
@Module({
  imports: [AuthModule, ComposingModule, ListsModule, HistoryModule, MailAccountsModule, DeliveryModule, BouncesModule],
  controllers: [
    AdminUsersController,
    AdminContactsController,
    AdminFilesController,
    AdminImportsController,
    AdminOverviewController,
    AdminProvidersController,
  ],
  providers: [AdminUsers, AdminImports, AdminOverview, AdminSenders, OriginGuard],
})
export class AdminModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(QueuesPage).forRoutes(QUEUES_PATH);
  }
}

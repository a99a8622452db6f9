import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { OriginGuard } from '../../shared/http/index.js';
import { AuthModule } from '../auth/index.js';
import { HistoryModule } from '../history/index.js';
import { ListsModule } from '../lists/index.js';
import { SendingModule } from '../sending/index.js';
import { AdminContactsController } from './admin-contacts.controller.js';
import { AdminImports } from './admin-imports.service.js';
import { AdminImportsController } from './admin-imports.controller.js';
import { AdminOverview } from './admin-overview.service.js';
import { AdminOverviewController } from './admin-overview.controller.js';
import { AdminProvidersController } from './admin-providers.controller.js';
import { AdminSenders } from './admin-senders.service.js';
import { AdminUsers } from './admin-users.service.js';
import { AdminUsersController } from './admin-users.controller.js';
import { QueuesPage } from './queues-page.js';
import { QUEUES_PATH } from './queues-path.js';

/** What the people who run the product see and do: every verb is a call of another module's face, under the admin guard. */
@Module({
  imports: [AuthModule, ListsModule, HistoryModule, SendingModule],
  controllers: [AdminUsersController, AdminContactsController, AdminImportsController, AdminOverviewController, AdminProvidersController],
  providers: [AdminUsers, AdminImports, AdminOverview, AdminSenders, OriginGuard],
})
export class AdminModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(QueuesPage).forRoutes(QUEUES_PATH);
  }
}

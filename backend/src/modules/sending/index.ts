export { SenderReputation } from './bounces/sender-reputation.service.js';
export { AddProviderDto, ChangeProviderDto, MailSecretDto, ProviderConfigDto, ProviderDto, ProviderTestDto, TestProviderDto } from './dto/provider.dto.js';
export { SenderRatesDto, SenderReputationDto } from './dto/reputation.dto.js';
export { sendingEntities } from './entities/index.js';
export { type AccountHealth, type OpenSend, OpenSends, OpenSendsModule } from './open-sends.js';
export { MailProviders } from './providers/mail-providers.service.js';
export { ProviderTest } from './providers/provider-test.service.js';
export { BounceListenerModule, SendingModule, SendingWorkerModule } from './sending.module.js';
export { RecipientRecords, RecipientRecordsModule } from './recipient-records.js';

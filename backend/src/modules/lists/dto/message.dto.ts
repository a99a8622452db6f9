export { MessageDto } from '../../../shared/http/message.dto.js';

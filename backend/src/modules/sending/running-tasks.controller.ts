import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors, CurrentUser, type RequestUser } from '../../shared/http/index.js';
import { RunningTasksDto } from './dto/running-tasks.dto.js';
import { RunningTasks } from './running-tasks.service.js';

@ApiTags('Events')
@Controller('api/running-tasks')
export class RunningTasksController {
  constructor(private readonly tasks: RunningTasks) {}

  /** The sends and imports that run for this account, or ended within the last two minutes. */
  @Get()
  @ApiOkResponse({ type: RunningTasksDto })
  @ApiErrors(401)
  getRunningTasks(@CurrentUser() user: RequestUser): Promise<RunningTasksDto> {
    return this.tasks.of(user.id);
  }
}

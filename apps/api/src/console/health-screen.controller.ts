import { Controller, Get, UseFilters, UseGuards } from '@nestjs/common';
import { ConsoleErrors } from './console-errors.filter';
import { ConsoleGuard, Operators } from './console.guard';
import { Installation, type InstallationState } from './installation';

/** Shows operators the state of the installation. */
@Controller('console/health')
@UseGuards(ConsoleGuard)
@UseFilters(ConsoleErrors)
export class HealthScreenController {
  constructor(private readonly installation: Installation) {}

  @Operators()
  @Get()
  async health(): Promise<InstallationState> {
    return this.installation.state();
  }
}

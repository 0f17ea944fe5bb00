import { Body, Controller, HttpCode, Param, Patch, Post, Req, UseFilters, UseGuards, UsePipes } from '@nestjs/common';
import { Consumers } from '#access';
import { checkText, Fault, UnitOfWork } from '#kernel';
import { authorOf, People } from '#people';
import { bodyValidation } from '../http/body-validation';
import { OrganisationBody, OrganisationNameBody } from './bodies';
import { ConsoleErrors } from './console-errors.filter';
import { type ConsoleCall, ConsoleGuard, FreshOperators, operatedIn } from './console.guard';

/** Lets operators create and rename organisations. */
@Controller('console/organisations')
@UseGuards(ConsoleGuard)
@UseFilters(ConsoleErrors)
@UsePipes(bodyValidation())
export class OrganisationsController {
  constructor(
    private readonly consumers: Consumers,
    private readonly people: People,
    private readonly work: UnitOfWork,
  ) {}

  /** Creates an organisation with an empty bank. Its creator becomes its operator, because it has no other. */
  @FreshOperators()
  @Post()
  async create(@Req() { by }: ConsoleCall, @Body() { id, name }: OrganisationBody) {
    checkText(name, '/name');
    await this.work.run(async () => {
      if ((await this.consumers.organisations()).some((each) => each.id === id))
        throw new Fault('duplicate', `Organisation ${id} exists already.`, '/id');
      await this.consumers.addOrganisation({ id, name }, authorOf(by!.person));
      await this.people.change(by!.person.id, { roles: new Map([[id, ['operator']]]) }, authorOf(by!.person));
    });
    return { id, name };
  }

  @FreshOperators()
  @Patch(':id')
  @HttpCode(204)
  async rename(@Req() { by }: ConsoleCall, @Param('id') text: string, @Body() { name }: OrganisationNameBody) {
    checkText(name, '/name');
    await this.consumers.renameOrganisation({ id: operatedIn(text, by!), name }, authorOf(by!.person));
  }
}

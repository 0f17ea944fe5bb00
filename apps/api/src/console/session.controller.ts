import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Post,
  Query,
  Req,
  Res,
  UseFilters,
  UseGuards,
  UsePipes,
} from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Consumers } from '#access';
import { OpenId, type SignIn, operationsOf, SignIns } from '#people';
import { bodyValidation } from '../http/body-validation';
import { LinkBody, LookBody, NewPasswordBody, PasswordBody, SignInBody } from './bodies';
import { ConsoleErrors } from './console-errors.filter';
import { type ConsoleCall, ConsoleGuard, Open } from './console.guard';
import { clearCookie, cookieOf, setCookie } from './cookies';

/** Signs people in and out of the console. */
@Controller('console/session')
@UseGuards(ConsoleGuard)
@UseFilters(ConsoleErrors)
@UsePipes(bodyValidation())
export class SessionController {
  constructor(
    private readonly signIns: SignIns,
    private readonly consumers: Consumers,
    private readonly openId: OpenId,
  ) {}

  /**
   * The signed-in person and their rights; `person` is null when nobody is signed in. `openid`: whether OpenID is set
   * up.
   */
  @Open()
  @Get()
  async who(@Req() request: Request) {
    const cookie = cookieOf(request);
    const openid = this.openId.isAvailable;
    if (cookie === undefined) return { person: null, openid };
    try {
      const { person, csrf, isFresh } = await this.signIns.find(cookie);
      const names = new Map((await this.consumers.organisations()).map(({ id, name }) => [id, name]));
      return {
        person: {
          id: person.id,
          email: person.email,
          firstname: person.firstname,
          lastname: person.lastname,
          has_password: person.hasPassword,
        },
        csrf,
        is_fresh: isFresh,
        organisations: [...person.roles].map(([id, roles]) => ({
          id,
          name: names.get(id) ?? '',
          roles,
          operations: operationsOf(roles),
        })),
        openid,
      };
    } catch (error) {
      if ((error as { kind?: string }).kind !== 'token') throw error;
      return { person: null, openid };
    }
  }

  @Open()
  @Post()
  @HttpCode(204)
  async signIn(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() { email, password }: SignInBody,
  ) {
    const secret = await this.signIns.withPassword(email, password, addressOf(request), browserOf(request));
    await this.begin(request, response, secret);
  }

  /** The purpose of a link. This call does not use the link up. */
  @Open()
  @Post('link/look')
  @HttpCode(200)
  async look(@Req() request: Request, @Body() { link }: LookBody) {
    return this.signIns.lookAtLink(link, addressOf(request));
  }

  @Open()
  @Post('link')
  @HttpCode(204)
  async useLink(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() { link, password }: LinkBody,
  ) {
    const secret = await this.signIns.withLink(link, password ?? undefined, addressOf(request), browserOf(request));
    await this.begin(request, response, secret);
  }

  /** Proves again who somebody is, for calls that need it. */
  @Post('confirmation')
  @HttpCode(204)
  async confirm(@Req() call: ConsoleCall, @Body() { password }: PasswordBody) {
    await this.signIns.confirm(call.by!, password, addressOf(call));
  }

  @Post('password')
  @HttpCode(204)
  async changePassword(@Req() call: ConsoleCall, @Body() { current, password }: NewPasswordBody) {
    await this.signIns.changePassword(call.by!, current, password, addressOf(call));
  }

  /** The browsers in which the person is signed in. */
  @Get('browsers')
  async browsers(@Req() { by }: ConsoleCall) {
    return (await this.signIns.of(by!.person.id)).map((signIn) => browserView(signIn, by!.signIn));
  }

  @Delete()
  @HttpCode(204)
  async signOut(
    @Req() call: ConsoleCall,
    @Res({ passthrough: true }) response: Response,
    @Query('everywhere') everywhere?: string,
  ) {
    if (everywhere === undefined) await this.signIns.signOut(call.by!);
    else await this.signIns.signOutEverywhere(call.by!);
    clearCookie(call, response);
  }

  private async begin(request: Request, response: Response, secret: string): Promise<void> {
    await this.signIns.forget(cookieOf(request));
    setCookie(request, response, secret);
  }
}

const browserView = ({ browser, createdAt, seenAt }: SignIn, own: SignIn) => ({
  browser,
  signed_in_at: new Date(createdAt).toISOString(),
  seen_at: new Date(seenAt).toISOString(),
  is_this: createdAt === own.createdAt && browser === own.browser,
});

const addressOf = (request: Request): string => request.ip ?? '';
const browserOf = (request: Request): string => request.headers['user-agent'] ?? '';

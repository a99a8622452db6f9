// These modules are required by CommonJS packages. If they are not evaluated first, Jest fails with "Cannot require()
// ES Module in a cycle".
import 'reflect-metadata';
import '@nestjs/common';
import '@nestjs/core';
import '@nestjs/bull-shared';

// CommonJS packages require these; evaluated first, or Jest meets "Cannot require() ES Module in a cycle".
import 'reflect-metadata';
import '@nestjs/common';
import '@nestjs/core';
import '@nestjs/bull-shared';

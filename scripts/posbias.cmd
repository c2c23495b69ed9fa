@echo off
rem Runs posbias on Windows, from an unpacked distribution. POSBIAS_JAVA, JAVA_HOME, POSBIAS_JAVA_OPTS as in the script beside it.
setlocal
set "HERE=%~dp0.."
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java.exe"
if exist "%HERE%\runtime\bin\java.exe" set "JAVA=%HERE%\runtime\bin\java.exe"
if defined POSBIAS_JAVA set "JAVA=%POSBIAS_JAVA%"
"%JAVA%" %POSBIAS_JAVA_OPTS% --enable-native-access=ALL-UNNAMED -jar "%HERE%\posbias.jar" %*
